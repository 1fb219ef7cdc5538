import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Plus, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useMay } from '../api/session';
import { useSearchValues } from './location';

export interface Adding {
  readonly opened: boolean;
  readonly close: () => void;
  /** Undefined for people who may not add one. */
  readonly button: ReactNode | undefined;
}

/** The form of a list that adds something: its button opens it, or a link with `?add`, as the command palette has. */
export function useAdding(permission: string, label: string, Icon: LucideIcon = Plus): Adding {
  const may = useMay(permission);
  const navigate = useNavigate();
  const { add } = useSearchValues();
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (add === undefined) return;
    setOpened(true);
    // Loaded again or shared, the page shows the list.
    void navigate({ to: '.', search: (known: object) => ({ ...known, add: undefined }), replace: true });
  }, [add]);
  return {
    opened: opened && may,
    close: () => setOpened(false),
    button: may ? (
      <Button leftSection={<Icon size={14} aria-hidden />} onClick={() => setOpened(true)}>
        {label}
      </Button>
    ) : undefined,
  };
}
