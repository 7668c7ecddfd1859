// Short sounds, made here: no files. Quiet until somebody has touched the page, and when muted.
import { recall, remember } from "./visitor.js";

/** @typedef {{pitch: number, to?: number, at: number, seconds: number, wave?: OscillatorType, loud?: number}} Note */

/** @type {Record<string, Note[]>} */
const SOUNDS = {
  step: [{ pitch: 330, to: 240, at: 0, seconds: 0.09, wave: "triangle", loud: 0.35 }],
  block: [
    { pitch: 300, to: 220, at: 0, seconds: 0.08, wave: "triangle", loud: 0.3 },
    { pitch: 130, to: 70, at: 0.08, seconds: 0.16, wave: "triangle", loud: 0.45 },
  ],
  join: [
    { pitch: 392, at: 0, seconds: 0.12 },
    { pitch: 523, at: 0.12, seconds: 0.2 },
  ],
  won: [
    { pitch: 392, at: 0, seconds: 0.14 },
    { pitch: 494, at: 0.13, seconds: 0.14 },
    { pitch: 587, at: 0.26, seconds: 0.34 },
  ],
  over: [
    { pitch: 330, at: 0, seconds: 0.18 },
    { pitch: 262, at: 0.17, seconds: 0.36 },
  ],
};

/** @type {AudioContext | null} */ let context = null;

/** Browsers let a page sound once somebody has used it. */
function wake() {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}
for (const event of ["pointerdown", "keydown"]) addEventListener(event, wake, { once: true });

export function isMuted() {
  return recall("mute") === true;
}

/** @param {boolean} isQuiet */
export function mute(isQuiet) {
  remember("mute", isQuiet);
}

/** @param {keyof typeof SOUNDS} name */
export function sound(name) {
  if (!context || context.state !== "running" || isMuted()) return;
  for (const note of SOUNDS[name]) ring(context, note);
}

/** @param {AudioContext} room @param {Note} note */
function ring(room, note) {
  const begin = room.currentTime + note.at;
  const end = begin + note.seconds;
  const [voice, volume] = [room.createOscillator(), room.createGain()];
  voice.type = note.wave ?? "sine";
  voice.frequency.setValueAtTime(note.pitch, begin);
  if (note.to) voice.frequency.exponentialRampToValueAtTime(note.to, end);
  volume.gain.setValueAtTime(note.loud ?? 0.2, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  voice.connect(volume).connect(room.destination);
  voice.start(begin);
  voice.stop(end);
}
