// What every page has: the sound button, and help with the keyboard.
import { button, dialog, isShortcut, onPress } from "./page.js";
import { isMuted, mute } from "./sound.js";

function showMute() {
  button("mute").setAttribute("aria-pressed", String(isMuted()));
  button("mute").title = isMuted() ? "Sounds are off" : "Sounds are on";
}

onPress("mute", () => {
  mute(!isMuted());
  showMute();
});
onPress("keys-open", () => dialog("keys").showModal());
document.addEventListener("keydown", (event) => {
  if (!isShortcut(event)) return;
  if (event.key === "?") dialog("keys").showModal();
  if (event.key === "m") button("mute").click();
});
showMute();
