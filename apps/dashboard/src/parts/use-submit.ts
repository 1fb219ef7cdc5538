import { useState, type FormEvent } from 'react';

export interface Submit {
  readonly running: boolean;
  readonly error: unknown;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** A form that is sent once at a time, and shows why it could not be. `run` gets the values of its fields. */
export function useSubmit(
  run: (values: Readonly<Record<string, string>>, form: HTMLFormElement) => Promise<unknown>,
): Submit {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value as string)]));
    setRunning(true);
    setError(undefined);
    try {
      await run(values, form);
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return {
    running,
    error,
    onSubmit: (event) => {
      event.preventDefault();
      if (!running) void submit(event.currentTarget);
    },
  };
}
