import { useState, type Dispatch, type SetStateAction } from 'react';

/** State of a form that opens and closes: each opening begins with what is known then, and nothing resets it while it is open. */
export function useOpenedState<Value>(
  opened: boolean,
  initial: () => Value,
): readonly [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState(initial);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setValue(initial());
  }
  return [value, setValue];
}
