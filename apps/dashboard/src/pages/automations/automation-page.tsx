import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useMay } from '../../api/session';
import { useShortcuts } from '../../frame/shortcuts';
import { missingIn, stepNamedIn, withStepAt, withStepMoved } from '../../logic/automation-draft';
import { Alert } from '../../parts/alert';
import { errorText } from '../../parts/error-text';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { say } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { useAnswered } from '../../parts/use-answered';
import { AutomationState } from './automation-looks';
import { automationQuery, metricsQuery } from './automation-queries';
import { AutomationTabs } from './automation-tabs';
import { AutomationTools } from './automation-tools';
import styles from './automations.module.css';
import type { StepsView } from './step-card';
import { StepList } from './step-list';
import { changedByKey } from './step-moves';
import { StepPanel } from './step-panel';
import { TrialPanel, type Trial } from './trial-panel';
import { useAutomationDraft } from './use-automation-draft';

/** The canvas and its layout are loaded where there is room for them. */
const StepCanvas = lazy(async () => ({ default: (await import('./step-canvas')).StepCanvas }));

type Automation = Schema<'AutomationResponse'>;

/** An automation that is drawn. */
export function AutomationPage() {
  const { automationId = '' } = usePathValues();
  const { t } = useTranslation();
  // What is drawn begins with what the server has now, not with an answer that is kept.
  const automation = useQuery({ ...automationQuery(automationId), staleTime: 0 });
  const data = useAnswered(automation, automationId);
  if (data === undefined) {
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
  const mayWrite = useMay('automations:write');
  const isNarrow = useMediaQuery('(max-width: 760px)');
  const numbers = useQuery(metricsQuery(id)).data;
  const [chosen, setChosen] = useState<string>();
  const [isTrying, setTrying] = useState(false);
  const [trial, setTrial] = useState<Trial>();
  const [dragged, setDragged] = useState<string>();
  const [error, setError] = useState<unknown>();
  const { steps, connections } = automation;
  const known = useMemo(() => ({ steps, connections }), [steps, connections]);
  const edits = useAutomationDraft(known);
  const { draft, isChanged, undo, redo } = edits;
  const refusal = error === undefined ? undefined : errorText(error).text;
  const refused = refusal === undefined ? undefined : stepNamedIn(draft, refusal);
  const incomplete = draft.steps.find((step) => missingIn(step) !== undefined);

  const choose = (key: string | undefined): void => {
    setTrying(false);
    setChosen(key);
  };
  const closeTrial = (): void => {
    setTrying(false);
    setTrial(undefined);
  };
  const change = async (body: object): Promise<void> => {
    await answer(api.PATCH('/automations/{id}', { params: { path: { id } }, body: body as never }));
    void client.invalidateQueries({ queryKey: ['automations'] });
    await client.invalidateQueries({ queryKey: ['automation', id] });
  };
  const refuse = (failure: unknown): void => {
    setError(failure);
    const step = stepNamedIn(draft, errorText(failure).text);
    if (step !== undefined) choose(step);
  };
  const save = async (more: object = {}): Promise<void> => {
    setError(undefined);
    if (incomplete !== undefined) return choose(incomplete.key);
    try {
      await change({ ...more, ...(isChanged ? draft : {}) });
      edits.saved(draft);
      say(t(`automations:${'status' in more ? (more.status as string) : 'saved'}`));
    } catch (failure) {
      refuse(failure);
    }
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
    { keys: 'alt+ArrowUp', label: t('automations:moveUp'), group: t('automations:one'), run: () => false },
    { keys: 'alt+ArrowDown', label: t('automations:moveDown'), group: t('automations:one'), run: () => false },
    { keys: 'mod+d', label: t('automations:copyStep'), group: t('automations:one'), run: () => false },
  ]);
  const view = useMemo(
    (): StepsView => ({
      automationId: id,
      chosen,
      choose,
      refused,
      numbers,
      trial: isTrying ? trial : undefined,
      add: !mayWrite
        ? undefined
        : (place, type) => {
            const added = withStepAt(draft, place, type, t(`automations:type.${type}`));
            edits.change(added.draft);
            choose(added.key);
          },
      move: !mayWrite
        ? undefined
        : {
            dragged,
            drag: setDragged,
            fits: (place) => dragged !== undefined && withStepMoved(draft, dragged, place) !== undefined,
            drop: (place) => {
              setDragged(undefined);
              edits.change((dragged === undefined ? undefined : withStepMoved(draft, dragged, place)) ?? draft);
            },
            byKey: (key, move) => {
              const changed = changedByKey(draft, key, move);
              if (changed === undefined) return;
              edits.change(changed.draft);
              if (changed.key !== key) choose(changed.key);
            },
          },
    }),
    [chosen, draft, dragged, edits, id, isTrying, mayWrite, numbers, refused, t, trial],
  );
  return (
    <Page
      title={name}
      back="/app/automations"
      aside={<AutomationState state={status} />}
      actions={
        mayWrite ? (
          <AutomationTools
            automation={automation}
            edits={edits}
            change={change}
            save={save}
            tryIt={() => (incomplete === undefined ? setTrying(true) : choose(incomplete.key))}
          />
        ) : undefined
      }
    >
      <AutomationTabs id={id} />
      {error === undefined || refused !== undefined ? null : (
        <Box py={12} px={20}>
          <Alert error={error} />
        </Box>
      )}
      <div className={styles.drawing} data-open={chosen !== undefined || isTrying || undefined}>
        {isNarrow === true ? (
          <StepList draft={draft} view={view} />
        ) : (
          <Suspense fallback={<div className={styles.canvas} />}>
            <StepCanvas draft={draft} view={view} />
          </Suspense>
        )}
        {isTrying ? (
          <TrialPanel
            draft={draft}
            settings={automation.settings}
            trial={trial}
            setTrial={setTrial}
            close={closeTrial}
            refuse={refuse}
          />
        ) : null}
        {chosen === undefined || isTrying ? null : (
          <StepPanel
            key={chosen}
            edits={edits}
            stepKey={chosen}
            choose={choose}
            readOnly={!mayWrite}
            refusal={refused === chosen ? refusal : undefined}
          />
        )}
      </div>
    </Page>
  );
}
