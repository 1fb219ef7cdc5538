import { useRef, useState } from 'react';

/**
 * Chooses which part of what is written is shown. What is looked at is what is written, so the preview waits for the save;
 * who has chosen another part by then stays there.
 */
export function usePartChoice<Part extends string>(
  part: Part,
  setPart: (part: Part) => void,
  saved: () => Promise<void>,
): { readonly chosen: Part; readonly choose: (next: Part) => void } {
  // Shown as chosen at once: otherwise a choice of the part that is still shown would be no change.
  const [waiting, setWaiting] = useState<Part>();
  const choices = useRef(0);
  const choose = (next: Part): void => {
    const no = ++choices.current;
    const show = (): void => {
      if (no !== choices.current) return;
      setWaiting(undefined);
      setPart(next);
    };
    if (next !== 'preview') return show();
    setWaiting(next);
    void saved()
      .catch(() => undefined)
      .then(show);
  };
  return { chosen: waiting ?? part, choose };
}
