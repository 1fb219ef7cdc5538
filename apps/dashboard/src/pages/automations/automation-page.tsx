import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleStop, Copy, EllipsisVertical, Pencil, Redo2, Trash2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useMay } from '../../api/session';
import { useShortcuts } from '../../frame/shortcuts';
import { missingIn, stepNamedIn, withStepAt } from '../../logic/automation-draft';
import { Alert } from '../../parts/alert';
import { Confirm } from '../../parts/confirm';
import { errorText } from '../../parts/error-text';
import { FormModal } from '../../parts/form-modal';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { AutomationState } from './automation-looks';
import { automationQuery } from './automation-queries';
import { AutomationTabs } from './automation-tabs';
import styles from './automations.module.css';
import type { StepsView } from './step-card';
import { StepList } from './step-list';
import { StepPanel } from './step-panel';
import { useAutomationDraft } from './use-automation-draft';

/** The canvas and its layout are loaded where there is room for them. */
const StepCanvas = lazy(async () => ({ default: (await import('./step-canvas')).StepCanvas }));

type Automation = Schema<'AutomationResponse'>;

/** An automation that is drawn. */
export function AutomationPage() {
  const { automationId = '' } = usePathValues();
  const { t } = useTranslation();
  const automation = useQuery(automationQuery(automationId));
  const { data } = automation;
  if (automation.error !== null || data === undefined) {
    return (
      <Page title={t('automations:one')} back="/app/automations">
        {automation.error === null ? null : (
          <ErrorState error={automation.error} retry={() => void automation.refetch()} />
        )}
      </Page>
    );
  }
  return <Drawing key={data.id} automation={data} />;
}

function Drawing({ automation }: { readonly automation: Automation }) {
  const { id, name, status } = automation;
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useMay('automations:write');
  const isNarrow = useMediaQuery('(max-width: 760px)');
  const [chosen, setChosen] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [asking, setAsking] = useState<'rename' | 'stop' | 'delete'>();
  const { steps, connections } = automation;
  const known = useMemo(() => ({ steps, connections }), [steps, connections]);
  const edits = useAutomationDraft(known);
  const { draft, isChanged, undo, redo } = edits;
  const path = { params: { path: { id } } };
  const refusal = error === undefined ? undefined : errorText(error).text;
  const refused = refusal === undefined ? undefined : stepNamedIn(draft, refusal);
  const incomplete = draft.steps.find((step) => missingIn(step) !== undefined);

  const change = async (body: object): Promise<void> => {
    await answer(api.PATCH('/automations/{id}', { ...path, body: body as never }));
    void client.invalidateQueries({ queryKey: ['automations'] });
    await client.invalidateQueries({ queryKey: ['automation', id] });
  };
  const save = async (more: object = {}): Promise<void> => {
    setError(undefined);
    if (incomplete !== undefined) return setChosen(incomplete.key);
    try {
      await change({ ...more, ...(isChanged ? draft : {}) });
      edits.saved(draft);
      say(t(`automations:${'status' in more ? (more.status as string) : 'saved'}`));
    } catch (failure) {
      setError(failure);
      const step = stepNamedIn(draft, errorText(failure).text);
      if (step !== undefined) setChosen(step);
    }
  };
  const duplicate = async (): Promise<void> => {
    const copy = await answer(api.POST('/automations/{id}/duplicate', path));
    void client.invalidateQueries({ queryKey: ['automations'] });
    await navigate({ to: `/app/automations/${copy.id}` });
  };
  useShortcuts([
    {
      keys: 'mod+z',
      label: t('automations:undo'),
      group: t('automations:one'),
      // Shift is not part of the name of such a key.
      run: ({ shiftKey }) => (shiftKey ? redo : undo)?.(),
    },
    { keys: 'mod+y', label: t('automations:redo'), group: t('automations:one'), run: () => redo?.() },
  ]);
  const view = useMemo(
    (): StepsView => ({
      chosen,
      choose: setChosen,
      refused,
      add: !mayWrite
        ? undefined
        : (place, type) => {
            const added = withStepAt(draft, place, type, t(`automations:type.${type}`));
            edits.change(added.draft);
            setChosen(added.key);
          },
    }),
    [chosen, draft, edits, mayWrite, refused, t],
  );
  const tools = (
    <>
      <ActionIcon aria-label={t('automations:undo')} disabled={undo === undefined} onClick={undo}>
        <Undo2 size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('automations:redo')} disabled={redo === undefined} onClick={redo}>
        <Redo2 size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" disabled={!isChanged} onClick={() => void save()}>
        {t('common:save')}
      </Button>
      {status === 'enabled' ? (
        <Button variant="default" onClick={() => void change({ status: 'disabled' }).catch(sayError)}>
          {t('automations:disable')}
        </Button>
      ) : (
        <Button onClick={() => void save({ status: 'enabled' })}>{t('automations:enable')}</Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('automations:more')}>
            <EllipsisVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
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
    </>
  );
  return (
    <Page
      title={name}
      back="/app/automations"
      aside={<AutomationState state={status} />}
      actions={mayWrite ? tools : undefined}
    >
      <AutomationTabs id={id} />
      {error === undefined || refused !== undefined ? null : (
        <div className={styles.alert}>
          <Alert error={error} />
        </div>
      )}
      <div className={styles.drawing} data-open={chosen !== undefined || undefined}>
        {isNarrow === true ? (
          <StepList draft={draft} view={view} />
        ) : (
          <Suspense fallback={<div className={styles.canvas} />}>
            <StepCanvas draft={draft} view={view} />
          </Suspense>
        )}
        {chosen === undefined ? null : (
          <StepPanel
            key={chosen}
            edits={edits}
            stepKey={chosen}
            choose={setChosen}
            readOnly={!mayWrite}
            refusal={refused === chosen ? refusal : undefined}
          />
        )}
      </div>
      <Rename
        key={`${name} ${String(asking)}`}
        opened={asking === 'rename'}
        close={() => setAsking(undefined)}
        known={name}
        rename={(wanted) => change({ name: wanted })}
      />
      <Confirm
        opened={asking === 'stop'}
        close={() => setAsking(undefined)}
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
        close={() => setAsking(undefined)}
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
    </Page>
  );
}

interface RenameProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly known: string;
  readonly rename: (name: string) => Promise<unknown>;
}

function Rename({ opened, close, known, rename }: RenameProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(known);
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
