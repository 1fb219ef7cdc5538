import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleStop, Copy, EllipsisVertical, Pencil, Play, Redo2, Settings2, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { Confirm } from '../../parts/confirm';
import { Findings, type SentEmail } from '../../editor/findings';
import { missingIn, textOfValue, type AutomationDraft } from '../../logic/automation-draft';
import { FormModal } from '../../parts/form-modal';
import { say, sayError } from '../../parts/say';
import { useOpenedState } from '../../parts/use-opened-state';
import { segmentsQuery } from '../audience/audience-queries';
import { triggerWord } from './automation-queries';
import { SettingsForm } from './automation-settings';
import type { DraftEdits } from './use-automation-draft';

interface AutomationToolsProps {
  readonly automation: Schema<'AutomationResponse'>;
  readonly edits: DraftEdits;
  /** Changes the automation on the server. */
  readonly change: (body: object) => Promise<void>;
  /** Saves what is drawn, with a change of the status. */
  readonly save: (more?: object) => Promise<void>;
  readonly tryIt: () => void;
}

/** What can be done with an automation: buttons, a menu, and the dialogs that they open. */
export function AutomationTools({ automation, edits, change, save, tryIt }: AutomationToolsProps) {
  const { id, name, status } = automation;
  const { draft, undo, redo, isChanged } = edits;
  const [mayGo, setMayGo] = useState(false);
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'enable' | 'rename' | 'settings' | 'stop' | 'delete'>();
  const close = (): void => setAsking(undefined);
  const emails = emailsOf(draft);
  // A step that lacks something is shown instead.
  const asksToEnable = draft.steps.every((step) => missingIn(step) === undefined);
  const path = { params: { path: { id } } };
  const duplicate = async (): Promise<void> => {
    const copy = await answer(api.POST('/automations/{id}/duplicate', path));
    void client.invalidateQueries({ queryKey: ['automations'] });
    await navigate({ to: `/app/automations/${copy.id}` });
  };
  return (
    <>
      <ActionIcon aria-label={t('automations:undo')} disabled={undo === undefined} onClick={undo}>
        <Undo2 size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('automations:redo')} disabled={redo === undefined} onClick={redo}>
        <Redo2 size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" leftSection={<Play size={14} aria-hidden />} onClick={tryIt}>
        {t('automations:try.action')}
      </Button>
      <Button variant="default" disabled={!isChanged} onClick={() => void save()}>
        {t('common:save')}
      </Button>
      {status === 'enabled' ? (
        <Button variant="default" onClick={() => void change({ status: 'disabled' }).catch(sayError)}>
          {t('automations:disable')}
        </Button>
      ) : (
        <Button onClick={() => (asksToEnable ? setAsking('enable') : void save({ status: 'enabled' }))}>
          {t('automations:enable')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('automations:more')}>
            <EllipsisVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Settings2 size={15} aria-hidden />} onClick={() => setAsking('settings')}>
            {t('automations:settings.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAsking('rename')}>
            {t('automations:rename')}
          </Menu.Item>
          <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => void duplicate().catch(sayError)}>
            {t('automations:duplicate')}
          </Menu.Item>
          <Menu.Item leftSection={<CircleStop size={15} aria-hidden />} onClick={() => setAsking('stop')}>
            {t('automations:stop')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={() => setAsking('delete')}>
            {t('automations:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal
        opened={asking === 'enable'}
        close={close}
        title={t('automations:enableTitle')}
        action={t('automations:enable')}
        isReady={mayGo || emails.length === 0}
        run={() => save({ status: 'enabled' })}
      >
        <Affected draft={draft} />
        <Findings emails={emails} saved={nothingToSave} decide={setMayGo} />
      </FormModal>
      <Rename opened={asking === 'rename'} close={close} known={name} rename={(wanted) => change({ name: wanted })} />
      <SettingsForm
        opened={asking === 'settings'}
        close={close}
        known={automation.settings}
        save={(settings) => change({ settings })}
      />
      <Confirm
        opened={asking === 'stop'}
        close={close}
        title={t('automations:stopTitle', { name })}
        action={t('automations:stop')}
        dangerous
        run={async () => {
          await answer(api.POST('/automations/{id}/stop', path));
          await client.invalidateQueries({ queryKey: ['automation', id] });
          void client.invalidateQueries({ queryKey: ['automations'] });
          say(t('automations:stopped'));
        }}
      >
        <p>{t('automations:stopText')}</p>
      </Confirm>
      <Confirm
        opened={asking === 'delete'}
        close={close}
        title={t('automations:deleteTitle', { name })}
        action={t('automations:delete')}
        typed={name}
        run={async () => {
          await answer(api.DELETE('/automations/{id}', path));
          void client.invalidateQueries({ queryKey: ['automations'] });
          say(t('automations:deleted'));
          await navigate({ to: '/app/automations' });
        }}
      >
        <p>{t('automations:deleteText')}</p>
      </Confirm>
    </>
  );
}

/** For whom it starts once it is enabled. */
function Affected({ draft }: { readonly draft: AutomationDraft }) {
  const { t, i18n } = useTranslation();
  const { event_name: event, segment_id: segmentId } = draft.steps.find(({ type }) => type === 'trigger')?.config ?? {};
  const kind = triggerWord(textOfValue(event));
  const segments = useQuery({ ...segmentsQuery, enabled: kind === 'segment_entered' }).data;
  const segment = segments?.find(({ id }) => id === segmentId);
  const shown = new Intl.NumberFormat(i18n.language).format(segment?.contacts ?? 0);
  return (
    <p>
      {t('automations:affects.start', { trigger: t(`automations:trigger.${kind}`) })}{' '}
      {segment === undefined
        ? t(`automations:affects.${kind === 'contact_date' ? 'date' : 'usual'}`)
        : t('automations:affects.segment', { name: segment.name, shown })}
    </p>
  );
}

/** Templates are saved where they are written. */
const nothingToSave = (): Promise<void> => Promise.resolve();

function emailsOf({ steps }: AutomationDraft): readonly SentEmail[] {
  const emails = new Map<string, SentEmail>();
  for (const { type, config } of steps) {
    const { id, variables = {} } = (config.template ?? {}) as { id?: string; variables?: object };
    if (type !== 'send_email' || id === undefined) continue;
    const given = [...(emails.get(id)?.given ?? []), ...Object.keys(variables)];
    emails.set(id, { type: 'template', id, given });
  }
  return [...emails.values()];
}

interface RenameProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly known: string;
  readonly rename: (name: string) => Promise<unknown>;
}

function Rename({ opened, close, known, rename }: RenameProps) {
  const { t } = useTranslation();
  const [name, setName] = useOpenedState(opened, () => known);
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('automations:rename')}
      action={t('common:save')}
      isReady={name.trim() !== ''}
      run={() => rename(name.trim())}
    >
      <TextInput
        data-autofocus
        label={t('automations:name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormModal>
  );
}
