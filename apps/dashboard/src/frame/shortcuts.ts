import { useEffect, useRef, useSyncExternalStore } from 'react';
import { KeySequence } from '../logic/key-sequence';

export interface Shortcut {
  /** As `KeySequence` names keys: `j`, `shift+ArrowDown`, `mod+k`, `g e`. */
  readonly keys: string;
  /** For the list of keys. A shortcut without it is not listed. */
  readonly label?: string;
  /** Heading in the list of keys. */
  readonly group?: string;
  /** Also while someone types. */
  readonly everywhere?: boolean;
  /** `false`: the key does what the browser does with it. */
  readonly run: (event: KeyboardEvent) => void | false;
}

let active: readonly Shortcut[] = [];
const listeners = new Set<() => void>();
const sequence = new KeySequence();

function change(next: readonly Shortcut[]): void {
  active = next;
  for (const listener of listeners) listener();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  (target as HTMLInputElement).type !== 'checkbox';

/** A dialog or an open menu has the keyboard for itself. */
const isCovered = (): boolean =>
  // The list of a closed choice stays in the page, and is hidden.
  [...document.querySelectorAll('[role="dialog"][aria-modal="true"], [role="menu"], [role="listbox"]')].some(
    (element) => element.checkVisibility(),
  );

// Runs first (capture): where nothing moves, Escape has closed the dialog before the shortcuts are looked at.
let wasCovered = false;
window.addEventListener('keydown', () => (wasCovered = isCovered()), { capture: true });

window.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key)) return;
  const typing = isTyping(event.target);
  if (wasCovered) return sequence.forget();
  for (const name of sequence.press(event, event.timeStamp)) {
    // The page opened last has the first claim.
    const found = active.findLast((shortcut) => shortcut.keys === name && (!typing || shortcut.everywhere === true));
    if (found === undefined) continue;
    if (found.run(event) === false) return;
    event.preventDefault();
    return sequence.forget();
  }
});

/** Keys that work while the component is shown. They appear in the list that `?` opens. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = shortcuts.map(({ keys }) => keys).join('|');
  useEffect(() => {
    const own = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }));
    change([...active, ...own]);
    return () => change(active.filter((shortcut) => !own.includes(shortcut as never)));
  }, [names]);
}

/** All keys that work at the moment. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => active,
  );
}
