// Shapes that the board and its middle share.

/** The outline of a house or a hotel around a point, as in the pictures that Python draws. */
export function buildingPath(x, y, side, hotel, upright = false) {
  const long = hotel ? side * 2.1 : side;
  const [w, h] = upright && hotel ? [side, long] : [long, side];
  const [left, top, right, low] = [x - w / 2, y - h / 2, x + w / 2, y + h / 2];
  const points = [[left, low]];
  if (hotel && !upright) {
    const [eaves, slope] = [top + side * 0.34, side * 0.4];
    points.push([left, eaves], [left + slope, top], [right - slope, top], [right, eaves]);
  } else {
    const eaves = top + side * (hotel ? 0.34 : 0.42);
    points.push([left, eaves], [x, top], [right, eaves]);
  }
  points.push([right, low]);
  return `M${points.map((point) => point.join(" ")).join("L")}Z`;
}
