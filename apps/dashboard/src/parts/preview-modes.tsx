import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PreviewMode } from '../logic/preview-html';

interface PreviewModesProps {
  readonly mode: PreviewMode;
  readonly setMode: (mode: PreviewMode) => void;
}

const modes: readonly PreviewMode[] = ['desktop', 'phone', 'dark', 'images', 'text'];

/** How an email is looked at: on a desktop, a phone, in the dark, without images, as text. */
export function PreviewModes({ mode, setMode }: PreviewModesProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      aria-label={t('templates:view')}
      value={mode}
      onChange={(value) => setMode(value)}
      data={modes.map((value) => ({ value, label: t(`templates:views.${value}`) }))}
    />
  );
}
