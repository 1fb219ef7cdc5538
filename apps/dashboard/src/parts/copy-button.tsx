import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayError } from './say';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for people who do not see it: "Copy id". */
  readonly label: string;
  /** With its label beside the icon. */
  readonly wide?: boolean;
}

export function CopyButton({ value, label, wide = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, copy] = useCopy();
  const Icon = copied ? Check : Copy;
  const shown = copied ? t('common:copied') : label;
  const onClick = (event: React.MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    copy(value);
  };
  if (wide) {
    return (
      <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={onClick}>
        {shown}
      </Button>
    );
  }
  return (
    <Tooltip label={shown}>
      <ActionIcon aria-label={shown} onClick={onClick} size={24} c={copied ? 'var(--good)' : 'var(--text-3)'}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Copies, and says so for a moment. */
export function useCopy(): [boolean, (value: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, (value) => void writeText(value).then(() => setCopied(true), sayError)];
}

/** Without TLS (and not on localhost) browsers have no clipboard API, so the old way is kept for it. */
async function writeText(value: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(value);
  const field = document.createElement('textarea');
  field.value = value;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
