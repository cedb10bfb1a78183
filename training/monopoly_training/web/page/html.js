// The one way in which components are written: tagged templates, no build.
import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
