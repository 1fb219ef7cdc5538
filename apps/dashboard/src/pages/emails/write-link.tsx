import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PenLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../api/session';

interface WriteLinkProps {
  /** Who gets the email; without it, it is written from the start. */
  readonly to?: string;
  readonly isQuiet?: boolean;
}

/** Leads to the page on which one email is written. */
export function WriteLink({ to, isQuiet = false }: WriteLinkProps) {
  const { t } = useTranslation();
  if (!useMay('emails:send')) return null;
  return (
    <Button
      component={Link}
      to="/app/write"
      search={(to === undefined ? {} : { to }) as never}
      variant={isQuiet ? 'default' : 'filled'}
      leftSection={<PenLine size={14} aria-hidden />}
    >
      {t('emails:write.new')}
    </Button>
  );
}
