/** A release may be missed, such as one outside of the window. */
const maxPressMs = 3_000;

/** Follows presses of the mouse: while it is held, a change of others would lose where it clicks. */
export function pressesOn(element: HTMLElement): {
  /** Waits until the mouse is released. */
  readonly released: () => Promise<void>;
  readonly stop: () => void;
} {
  let since = 0;
  const down = (): void => {
    since = Date.now();
  };
  // The editor reads the place of the click a moment after it.
  const up = (): void => void setTimeout(() => (since = 0), 40);
  element.addEventListener('pointerdown', down);
  window.addEventListener('pointerup', up);
  window.addEventListener('pointercancel', up);
  return {
    released: async () => {
      while (since !== 0 && Date.now() - since < maxPressMs) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    stop: () => {
      element.removeEventListener('pointerdown', down);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', up);
    },
  };
}
