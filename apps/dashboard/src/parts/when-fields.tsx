import { SegmentedControl, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** When something is sent: now, at a time in words, or at one from the calendar. */
export interface When {
  readonly kind: 'now' | 'words' | 'moment';
  readonly words: string;
  readonly moment: string;
}

export const now: When = { kind: 'now', words: 'tomorrow at 9am', moment: '' };

/** As the API takes it; undefined for now, and empty where no time is given. */
export function scheduledAt({ kind, words, moment }: When): string | undefined {
  if (kind === 'now') return undefined;
  if (kind === 'words') return words.trim();
  const time = new Date(moment);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

interface WhenFieldsProps {
  readonly value: When;
  readonly change: (when: When) => void;
}

export function WhenFields({ value, change }: WhenFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        aria-label={t('broadcasts:whenLabel')}
        value={value.kind}
        onChange={(kind) => change({ ...value, kind })}
        data={(['now', 'words', 'moment'] as const).map((kind) => ({
          value: kind,
          label: t(`broadcasts:whens.${kind}`),
        }))}
      />
      {value.kind === 'words' ? (
        <TextInput
          label={t('broadcasts:words')}
          description={t('broadcasts:wordsText')}
          value={value.words}
          onChange={(event) => change({ ...value, words: event.currentTarget.value })}
        />
      ) : null}
      {value.kind === 'moment' ? (
        <TextInput
          type="datetime-local"
          label={t('broadcasts:moment')}
          description={Intl.DateTimeFormat().resolvedOptions().timeZone}
          value={value.moment}
          onChange={(event) => change({ ...value, moment: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}
