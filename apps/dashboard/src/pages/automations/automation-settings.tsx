import { Autocomplete, Checkbox, Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import { useOpenedState } from '../../parts/use-opened-state';

export type AutomationSettings = Schema<'AutomationResponse'>['settings'];

const entries = ['every_time', 'once', 'after'] as const;
const firstQuietHours = { from: '21:00', to: '08:00' };
/** Names of the zones that this browser knows. */
const zones = Intl.supportedValuesOf('timeZone');

interface SettingsFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly known: AutomationSettings;
  readonly save: (settings: AutomationSettings) => Promise<unknown>;
}

/** How often a contact enters, and when emails are held back. */
export function SettingsForm({ opened, close, known, save }: SettingsFormProps) {
  const { t } = useTranslation();
  const [settings, setSettings] = useOpenedState(opened, () => known);
  const set = (changed: Partial<AutomationSettings>): void => setSettings({ ...settings, ...changed });
  const quiet = settings.quiet_hours;
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('automations:settings.title')}
      action={t('common:save')}
      run={() => save(settings)}
    >
      <Select
        data-autofocus
        label={t('automations:settings.entry')}
        data={entries.map((value) => ({ value, label: t(`automations:settings.entries.${value}`) }))}
        value={settings.entry}
        allowDeselect={false}
        onChange={(entry) =>
          set({
            entry: entry ?? 'every_time',
            entry_after: entry === 'after' ? (settings.entry_after ?? '30 days') : null,
          })
        }
      />
      {settings.entry !== 'after' ? null : (
        <TextInput
          label={t('automations:settings.entryAfter')}
          value={settings.entry_after ?? ''}
          maxLength={64}
          onChange={(event) => set({ entry_after: event.currentTarget.value })}
          autoComplete="off"
        />
      )}
      <Checkbox
        label={t('automations:settings.quietHours')}
        description={t('automations:settings.quietHoursText')}
        checked={quiet !== null}
        onChange={(event) => set({ quiet_hours: event.currentTarget.checked ? firstQuietHours : null })}
      />
      {quiet === null ? null : (
        <Group grow gap={8}>
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={t(`automations:settings.${end}`)}
              // Its value is empty while a part of it is typed.
              defaultValue={quiet[end]}
              onChange={({ currentTarget: { value } }) =>
                value === '' ? undefined : set({ quiet_hours: { ...quiet, [end]: value } })
              }
            />
          ))}
        </Group>
      )}
      <NumberInput
        label={t('automations:settings.maxEmails')}
        description={t('automations:settings.maxEmailsText')}
        placeholder={t('automations:settings.noLimit')}
        value={settings.max_emails_per_day ?? ''}
        min={1}
        max={100}
        onChange={(count) => set({ max_emails_per_day: count === '' ? null : Number(count) })}
      />
      <Autocomplete
        label={t('automations:settings.timeZone')}
        description={t('automations:settings.timeZoneText')}
        placeholder="UTC"
        data={zones}
        limit={50}
        value={settings.time_zone ?? ''}
        onChange={(zone) => set({ time_zone: zone === '' ? null : zone })}
      />
    </FormModal>
  );
}
