import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import layout from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Facts, Panel } from '../../parts/panel';
import { say, sayError } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { Countdown, Time } from '../../parts/time';
import { AutomationState, stepIcons } from './automation-looks';
import type { RunStep } from './automation-queries';
import styles from './automations.module.css';

const refreshMs = 5_000;
const outputs = ['result', 'event', 'payload', 'timed_out', 'reason'];

/** The story of a run: each step, when, what it did, and what the run waits for. */
export function RunDetail() {
  const { automationId = '', runId = '' } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('automations:write');
  const path = { params: { path: { id: automationId, runId } } };
  const run = useQuery({
    queryKey: ['automation', automationId, 'run', runId],
    queryFn: () => answer(api.GET('/automations/{id}/runs/{runId}', path)),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? refreshMs : false),
  });
  const { data } = run;
  const cancel = async (): Promise<void> => {
    await answer(api.POST('/automations/{id}/runs/{runId}/cancel', path));
    await client.invalidateQueries({ queryKey: ['automation', automationId] });
    say(t('automations:runs.cancelled'));
  };
  const isRunning = data?.status === 'running';
  return (
    <DetailPane
      title={data?.contact_email ?? t('automations:runs.one')}
      badge={data === undefined ? null : <AutomationState state={data.status} />}
      close={() => void navigate({ to: `/app/automations/${automationId}/runs`, search: true })}
      actions={
        isRunning && mayWrite ? (
          <Button variant="default" onClick={() => void cancel().catch(sayError)}>
            {t('automations:runs.cancel')}
          </Button>
        ) : undefined
      }
    >
      <div className={layout.scroll}>
        {run.error === null ? null : <ErrorState error={run.error} retry={() => void run.refetch()} />}
        {data === undefined ? null : (
          <>
            <Panel title={t('automations:runs.about')}>
              <Facts
                items={[
                  [
                    t('automations:runs.contact'),
                    <Link key="contact" to={`/app/contacts/${data.contact_id}`}>
                      {data.contact_email}
                    </Link>,
                  ],
                  [t('automations:runs.began'), <Time key="began" at={data.created_at} form="exact" />],
                  ...(data.completed_at === null
                    ? []
                    : [
                        [
                          t('automations:runs.ended'),
                          <Time key="ended" at={data.completed_at} form="exact" />,
                        ] as const,
                      ]),
                  ...(data.next_step_at === null
                    ? []
                    : [
                        [
                          t('automations:runs.next'),
                          <Countdown key="next" to={data.next_step_at} ended={t('automations:runs.now')} />,
                        ] as const,
                      ]),
                  ...(data.postponed_because === null
                    ? []
                    : [[t('automations:runs.postponed'), data.postponed_because] as const]),
                ]}
              />
            </Panel>
            <Panel title={t('automations:runs.story')}>
              <ol className={styles.story}>
                {data.steps.map((step) => (
                  <StoryStep key={step.key} step={step} />
                ))}
              </ol>
            </Panel>
          </>
        )}
      </div>
    </DetailPane>
  );
}

function StoryStep({ step }: { readonly step: RunStep }) {
  const { t } = useTranslation();
  const Icon = stepIcons[step.type];
  const { email_id: emailId, ...rest } = (step.output ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <li className={styles.storyStep} data-state={step.status}>
      <span className={styles.cardIcon}>{Icon === undefined ? null : <Icon size={15} aria-hidden />}</span>
      <div className={styles.storyText}>
        <div className={layout.line}>
          <span className="cut">{step.key}</span>
          <AutomationState state={step.status} plain />
        </div>
        <div className="quiet">
          {t(`automations:type.${step.type}`)}
          {step.started_at === null ? null : (
            <>
              {' · '}
              <Time at={step.started_at} form="exact" />
            </>
          )}
        </div>
        {typeof emailId === 'string' ? <Link to={`/app/emails/${emailId}`}>{t('automations:runs.email')}</Link> : null}
        {Object.entries(rest).map(([name, value]) => (
          <div key={name}>
            <span className="quiet">{outputs.includes(name) ? t(`automations:output.${name}`) : name}</span>{' '}
            {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
          </div>
        ))}
        {step.error === null ? null : <p className={styles.refusal}>{step.error.message}</p>}
      </div>
    </li>
  );
}
