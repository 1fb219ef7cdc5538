import { useEffect, useRef, useState } from 'react';
import type { AutomationDraft } from '../../logic/automation-draft';

const maxSteps = 100;

interface History {
  readonly past: readonly AutomationDraft[];
  readonly present: AutomationDraft;
  readonly future: readonly AutomationDraft[];
}

export interface DraftEdits {
  readonly draft: AutomationDraft;
  readonly isChanged: boolean;
  /** A change can be undone. Changes with the same `of`, such as the letters of one field, are undone at once. */
  readonly change: (draft: AutomationDraft, of?: string) => void;
  /** Another one after each undo and redo: fields that keep what is typed begin again. */
  readonly epoch: number;
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** What is drawn now is what the server has. */
  readonly saved: (draft: AutomationDraft) => void;
}

/** An automation that is being drawn, with what was drawn before. The browser asks before it is left unsaved. */
export function useAutomationDraft(known: AutomationDraft): DraftEdits {
  const [history, setHistory] = useState<History>({ past: [], present: known, future: [] });
  const [stored, setStored] = useState(known);
  const [epoch, setEpoch] = useState(0);
  const last = useRef<string>(undefined);
  const { past, present, future } = history;
  const isChanged = present !== stored;
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
  const go = (to: History): void => {
    last.current = undefined;
    setEpoch(epoch + 1);
    setHistory(to);
  };
  const before = past.at(-1);
  const next = future[0];
  return {
    draft: present,
    isChanged,
    epoch,
    change: (draft, of) => {
      if (draft === present) return;
      const isSame = of !== undefined && of === last.current;
      last.current = of;
      setHistory({ past: isSame ? past : [...past, present].slice(-maxSteps), present: draft, future: [] });
    },
    undo:
      before === undefined
        ? undefined
        : () => go({ past: past.slice(0, -1), present: before, future: [present, ...future] }),
    redo:
      next === undefined ? undefined : () => go({ past: [...past, present], present: next, future: future.slice(1) }),
    saved: setStored,
  };
}
