import {
  canRemove,
  placeAbove,
  placeBelow,
  withoutStep,
  withStepCopied,
  withStepMoved,
  type AutomationDraft,
  type Place,
} from '../../logic/automation-draft';

export type StepMove = 'up' | 'down' | 'copy' | 'remove';

interface Changed {
  readonly draft: AutomationDraft;
  /** The step to show then, if any. */
  readonly key: string | undefined;
}

/** The draft after a step was moved, copied or removed. Undefined: that cannot be done with it. */
export function changedByKey(draft: AutomationDraft, key: string, move: StepMove): Changed | undefined {
  const step = draft.steps.find((each) => each.key === key);
  if (step === undefined) return undefined;
  switch (move) {
    case 'up':
      return movedTo(draft, key, placeAbove(draft, key));
    case 'down':
      return movedTo(draft, key, placeBelow(draft, key));
    case 'copy':
      return withStepCopied(draft, key);
    case 'remove':
      return canRemove(draft, step) ? { draft: withoutStep(draft, key), key: undefined } : undefined;
  }
}

function movedTo(draft: AutomationDraft, key: string, place: Place | undefined): Changed | undefined {
  const moved = place === undefined ? undefined : withStepMoved(draft, key, place);
  return moved === undefined ? undefined : { draft: moved, key };
}
