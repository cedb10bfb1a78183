"""Frames and windows of the environments, as wrappers of Gymnasium and PettingZoo use them."""

from __future__ import annotations

import copy
import hashlib
import io
import pickle
import sys
import types

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo
from gymnasium.wrappers import vector as vector_wrappers

from monopoly_env import Game, SingleSeatEnv, VectorEnv, monopoly_v0
from monopoly_env.envs.aec import MonopolyEnv
from monopoly_env.envs.checks import RenderModeError
from monopoly_env.errors import InputError
from monopoly_env.render.picture import draw
from tests.game.random_play import play_randomly

pytest.importorskip("resvg_py", reason="the extra render is not installed")
pytest.importorskip("pygame", reason="the extra render is not installed")

SMALL = {"render_size": 200}
# Of the frame of one position; it changes with the drawing: print the new one and look at it.
FRAME_SHA256 = "fbd543060e8fdee13e179b058949643136b7b67b15733e7f103977c10a58d5fe"


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that nobody sees, and that nobody waits for."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("pygame.time.Clock", lambda: types.SimpleNamespace(tick=lambda _: 0))


def middle_game() -> Game:
    game = Game("classic", 4, seed=11)
    for _ in play_randomly(game, 250):
        pass
    return game


def test_a_frame_is_equal_everywhere() -> None:
    env = monopoly_v0.raw_env(render_mode="rgb_array")
    env.reset(options={"position": middle_game()})
    frame = env.render()
    assert frame.dtype == np.uint8
    assert frame.shape == (800, 800, 3)
    assert hashlib.sha256(frame.tobytes()).hexdigest() == FRAME_SHA256


@pytest.mark.parametrize("size", [300, (640, 360)])
def test_tiles_make_the_same_picture_as_the_whole(size: object) -> None:
    from PIL import Image

    from monopoly_env.render.pixels import to_pixels, to_png

    game = middle_game()
    picture = draw(game.state.reshape(1), game.edition, size=size)  # type: ignore[arg-type]
    whole = np.array(Image.open(io.BytesIO(to_png(picture.svg()))).convert("RGB"))
    difference = np.abs(to_pixels(picture).astype(int) - whole)
    assert difference.max() <= 64  # at edges that fall between two pixels
    assert (difference > 4).mean() < 0.002


def test_frames_follow_the_game() -> None:
    env = SingleSeatEnv(["random"], render_mode="rgb_array", **SMALL)
    _, info = env.reset(seed=1)
    before = env.render()
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    after = env.render()
    assert before.shape == after.shape == (200, 200, 3)
    assert (before != after).any()


def test_a_vector_gives_a_frame_for_each_game() -> None:
    env = VectorEnv(3, render_mode="rgb_array", render_size=(320, 200), render_theme="dark")
    env.reset(seed=1)
    frames = env.render()
    assert isinstance(frames, tuple)
    assert [frame.shape for frame in frames] == [(200, 320, 3)] * 3


def stub_of_moviepy(monkeypatch: pytest.MonkeyPatch) -> list[list[np.ndarray]]:
    """What takes the place of moviepy: clips as lists of frames."""
    clips: list[list[np.ndarray]] = []

    class Clip:
        def __init__(self, frames: list[np.ndarray], fps: float) -> None:
            assert fps > 0
            clips.append(list(frames))

        def write_videofile(self, path: str, **_: object) -> None:
            assert path.endswith(".mp4")

    names = ("moviepy", "moviepy.video", "moviepy.video.io", "moviepy.video.io.ImageSequenceClip")
    for name in names:
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules[names[-1]].ImageSequenceClip = Clip  # type: ignore[attr-defined]
    return clips


def test_record_video(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    clips = stub_of_moviepy(monkeypatch)
    env = gymnasium.make(
        "monopoly_env/Monopoly-v0", opponents=["random"], render_mode="rgb_array", **SMALL
    )
    env = RecordVideo(env, str(tmp_path), video_length=4, step_trigger=lambda step: step == 0)
    env.reset(seed=1)
    for _ in range(4):
        mask = env.unwrapped.action_masks()
        env.step(int(np.flatnonzero(mask)[0]))
    env.close()
    assert [frame.shape for frame in clips[0]] == [(200, 200, 3)] * 4


def test_record_videos_of_a_vector(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    clips = stub_of_moviepy(monkeypatch)
    env = VectorEnv(2, render_mode="rgb_array", **SMALL)
    if not hasattr(vector_wrappers, "RecordVideo"):
        pytest.skip("this version of Gymnasium records no videos of vector environments")
    recorder = vector_wrappers.RecordVideo(
        env, str(tmp_path), video_length=3, step_trigger=lambda step: step == 0
    )
    _, infos = recorder.reset(seed=1)
    for _ in range(4):
        actions = infos["action_mask"].argmax(axis=1)
        _, _, _, _, infos = recorder.step(actions)
    recorder.close()
    assert clips[0][0].shape in {(200, 400, 3), (400, 200, 3)}


def test_human_rendering() -> None:
    env = gymnasium.make(
        "monopoly_env/Monopoly-v0", opponents=["random"], render_mode="rgb_array", **SMALL
    )
    shown = HumanRendering(env)
    shown.reset(seed=1)
    shown.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    shown.close()


def make_single(**options: object):
    return SingleSeatEnv(["random"], **options)


def make_vector(**options: object):
    return VectorEnv(2, **options)


@pytest.mark.parametrize("make", [make_single, make_vector, monopoly_v0.raw_env])
def test_a_window_shows_each_step(make, monkeypatch: pytest.MonkeyPatch) -> None:
    from monopoly_env.render.window import Window

    shown: list[tuple[int, ...]] = []
    show = Window.show

    def watched(self: Window, frame: np.ndarray) -> None:
        shown.append(frame.shape)
        show(self, frame)

    monkeypatch.setattr(Window, "show", watched)
    env = make(render_mode="human", **SMALL)
    env.reset(seed=1)
    if make is make_vector:
        env.step(np.array([game.legal_ids()[0] for game in env.get_games()]))
    else:
        env.step(env.game.legal_ids()[0])
    assert shown == [(200, 200, 3)] * 2
    assert env.render() is None
    twin = copy.deepcopy(env)  # the window stays with the first
    pickle.loads(pickle.dumps(env)).close()
    twin.close()
    assert len(shown) == 3
    env.close()


def test_a_window_that_is_closed_stays_closed() -> None:
    import pygame

    env = SingleSeatEnv(["random"], render_mode="human", **SMALL)
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    env.render()
    assert not pygame.display.get_init()
    env.render()
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize("mode", ["rgb_array", "human"])
@pytest.mark.parametrize("make", [make_single, make_vector, monopoly_v0.raw_env])
def test_without_the_extra(make, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(RenderModeError) as raised:
        make(render_mode=mode)
    assert isinstance(raised.value, TypeError)  # Stable-Baselines3 goes without then
    assert "pip install 'monopoly-env[render]'" in str(raised.value)
    assert "\n" not in str(raised.value)
    make(render_mode="ansi").close()


@pytest.mark.parametrize("size", [0, (1, 2), "big", None, (800, 800, 3), True, 1e9])
def test_odd_sizes(size: object) -> None:
    with pytest.raises(InputError, match=r"^render_size: must be pixels from 200 to 4096"):
        monopoly_v0.raw_env(render_mode="rgb_array", render_size=size)


def test_metadata() -> None:
    for env in (MonopolyEnv(), SingleSeatEnv(), VectorEnv()):
        assert env.metadata["render_modes"] == ["ansi", "rgb_array", "human"]
        assert env.metadata["render_fps"] > 0
