import { Flex, Pill, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { Route } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Split } from '../../detail/split';
import type { Column } from '../../list/column';
import { List } from '../../list/list';
import { usePages } from '../../list/use-pages';
import layout from '../../parts/layout.module.css';
import { usePathValues, useSearchValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { EmptyState } from '../../parts/states';
import { Time } from '../../parts/time';
import { AutomationState } from './automation-looks';
import { automationQuery, type Run } from './automation-queries';
import { AutomationTabs } from './automation-tabs';

const statuses = ['running', 'completed', 'failed', 'cancelled'] as const;
const stepStates = ['waiting', 'completed', 'failed', 'skipped'] as const;

/** The runs of an automation: who went through it, and how far. */
export function RunsPage() {
  const { automationId: id = '', runId } = usePathValues();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(automationQuery(id));
  const values = useSearchValues();
  const status = statuses.find((each) => each === values.status);
  const at = stepStates.find((each) => each === values.at);
  const step = values.step === undefined || values.step === '' ? undefined : values.step;
  const rows = usePages<Run>(
    ['automation', id, 'runs', status ?? '', step ?? '', at ?? ''],
    ({ limit, after, signal }) =>
      answer(
        api.GET('/automations/{id}/runs', {
          params: {
            path: { id },
            query: {
              limit,
              after,
              step_key: step,
              step_status: step === undefined ? undefined : at,
              ...(status === undefined ? {} : { status: [status] }),
            },
          },
          signal,
        }),
      ),
  );
  const columns = useMemo(
    (): Column<Run>[] => [
      {
        id: 'contact',
        label: t('automations:runs.contact'),
        width: 'minmax(200px, 3fr)',
        cell: ({ contact_email: email }) => email,
      },
      {
        id: 'state',
        label: t('automations:state'),
        width: '150px',
        cell: ({ status: state }) => <AutomationState state={state} />,
      },
      {
        id: 'began',
        label: t('automations:runs.began'),
        width: '120px',
        align: 'end',
        cell: ({ created_at: at }) => <Time at={at} form="short" />,
      },
    ],
    [t],
  );
  const filter = (
    <Select
      aria-label={t('automations:state')}
      placeholder={t('automations:runs.any')}
      data={statuses.map((value) => ({ value, label: t(`automations:status.${value}`) }))}
      value={status ?? null}
      clearable
      w={160}
      onChange={(value) =>
        void navigate({
          to: `/app/automations/${id}/runs`,
          search: { step, at, ...(value === null ? {} : { status: value }) },
        })
      }
    />
  );
  const ofStep =
    step === undefined ? null : (
      <Pill
        withRemoveButton
        size="md"
        removeButtonProps={{ 'aria-label': t('automations:runs.everyStep') }}
        onRemove={() =>
          void navigate({ to: `/app/automations/${id}/runs`, search: status === undefined ? {} : { status } })
        }
      >
        {at === undefined
          ? t('automations:runs.throughStep', { name: step })
          : t('automations:runs.atStep', { name: step, state: t(`automations:status.${at}`) })}
      </Pill>
    );
  return (
    <Page
      title={data?.name ?? t('automations:one')}
      back="/app/automations"
      aside={data === undefined ? null : <AutomationState state={data.status} />}
      actions={
        runId === undefined ? (
          <>
            {ofStep}
            {filter}
          </>
        ) : undefined
      }
    >
      <AutomationTabs id={id} />
      <Split detail={runId === undefined ? undefined : <Outlet />}>
        <List
          label={t('automations:runs.title')}
          rows={rows}
          columns={columns}
          compact={({ contact_email: email, status: state, created_at: at }) => (
            <Flex component="span" direction="column" gap={2} miw={0}>
              <span className="cut">{email}</span>
              <span className={layout.line}>
                <span className="quiet">
                  <Time at={at} form="short" />
                </span>
                <AutomationState state={state} plain />
              </span>
            </Flex>
          )}
          openId={runId}
          hrefOf={(run) => `/app/automations/${id}/runs/${run.id}`}
          open={(run) => void navigate({ to: `/app/automations/${id}/runs/${run.id}`, search: true })}
          empty={<EmptyState icon={Route} title={t('automations:runs.empty')} text={t('automations:runs.emptyText')} />}
        />
      </Split>
    </Page>
  );
}
