import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { csvLine } from '../../logic/csv';
import { download } from '../../parts/download';
import layout from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { Figure, Figures, Panel, Stack } from '../../parts/panel';
import { ErrorState } from '../../parts/states';
import { Table, type TableColumn } from '../../parts/table';
import { AutomationState } from './automation-looks';
import { automationQuery, metricsQuery, type AutomationMetrics } from './automation-queries';
import { AutomationTabs } from './automation-tabs';

type StepMetrics = AutomationMetrics['steps'][number];

const states = ['entered', 'waiting', 'completed', 'failed', 'skipped'] as const;
const outcomes = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;
const totals = ['started', 'running', 'completed', 'goals', 'failed', 'cancelled'] as const;

/** How many contacts went where, and what became of the emails. */
export function AutomationMetricsPage() {
  const { automationId: id = '' } = usePathValues();
  const { t, i18n } = useTranslation();
  const automation = useQuery(automationQuery(id)).data;
  const metrics = useQuery(metricsQuery(id));
  const { data } = metrics;
  const number = new Intl.NumberFormat(i18n.language);
  const emails = (data?.steps ?? []).filter(({ emails: counted }) => counted !== undefined);
  const column = (name: string, of: (step: StepMetrics) => number | undefined): TableColumn<StepMetrics> => ({
    id: name,
    label: t(`automations:metrics.${name}`),
    align: 'end',
    cell: (step) => number.format(of(step) ?? 0),
  });
  const step: TableColumn<StepMetrics> = {
    id: 'step',
    label: t('automations:metrics.step'),
    cell: ({ key }) => (
      <Link to={`/app/automations/${id}/runs`} search={{ step: key }}>
        {key}
      </Link>
    ),
  };
  const save = (): void => {
    const head = ['step', 'type', ...states, ...outcomes];
    const lines = (data?.steps ?? []).map((each) => [
      each.key,
      each.type,
      ...states.map((name) => String(each[name])),
      ...outcomes.map((name) => (each.emails === undefined ? '' : String(each.emails[name]))),
    ]);
    // The mark makes Excel read UTF-8.
    const text = ['\ufeff', ...[head, ...lines].map(csvLine)].join('');
    download(text, `${automation?.name ?? 'automation'}.csv`, 'text/csv;charset=utf-8');
  };
  return (
    <Page
      title={automation?.name ?? t('automations:one')}
      back="/app/automations"
      aside={automation === undefined ? null : <AutomationState state={automation.status} />}
      actions={
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          disabled={data === undefined}
          onClick={save}
        >
          {t('automations:metrics.export')}
        </Button>
      }
    >
      <AutomationTabs id={id} />
      {metrics.error === null ? null : <ErrorState error={metrics.error} retry={() => void metrics.refetch()} />}
      {data === undefined ? null : (
        <div className={layout.scroll} tabIndex={0} role="group" aria-label={t('automations:metrics.title')}>
          <Stack>
            <Panel title={t('automations:metrics.runs')}>
              <Figures>
                {totals.map((name) => (
                  <Figure key={name} label={t(`automations:metrics.${name}`)} value={number.format(data.runs[name])} />
                ))}
              </Figures>
              {data.runs.not_entered === 0 ? null : (
                <p className="quiet">
                  {t('automations:metrics.notEntered', {
                    count: data.runs.not_entered,
                    shown: number.format(data.runs.not_entered),
                  })}
                </p>
              )}
            </Panel>
            <Panel title={t('automations:steps')} flush>
              <Table
                label={t('automations:steps')}
                columns={[step, ...states.map((name) => column(name, (each) => each[name]))]}
                rows={data.steps}
                keyOf={({ key }) => key}
              />
            </Panel>
            {emails.length === 0 ? null : (
              <Panel title={t('automations:metrics.emails')} text={t('automations:metrics.emailsText')} flush>
                <Table
                  label={t('automations:metrics.emails')}
                  columns={[step, ...outcomes.map((name) => column(name, (each) => each.emails?.[name]))]}
                  rows={emails}
                  keyOf={({ key }) => key}
                />
              </Panel>
            )}
          </Stack>
        </div>
      )}
    </Page>
  );
}
