import { ApiError } from './error';

type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);

/** The dialog that asks for the password. The frame shows it. */
export function setStepUp(dialog: Ask): void {
  ask = dialog;
}

/** Runs a dangerous action. Where the server wants to know again who acts, the password is asked for, and the action is tried again. */
export async function withStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError) || error.name !== 'step_up_required' || !(await ask())) throw error;
    return action();
  }
}
