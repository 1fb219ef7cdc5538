import { Flex } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Tag, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { useLive } from '../../api/live';
import { useMay } from '../../api/session';
import type { Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages, type PageOf } from '../../list/use-pages';
import { ApiError } from '../../api/error';
import { useAdding } from '../../parts/use-adding';
import { Page } from '../../parts/page';
import { say } from '../../parts/say';
import { EmptyState } from '../../parts/states';
import { StatusBadge, type Tone } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { AddSuppressions } from './add-suppressions';

type Suppression = Schema<'SuppressionSummaryResponse'>;
const origins = ['bounce', 'complaint', 'manual'] as const;
const tones: Readonly<Record<string, Tone>> = { bounce: 'bad', complaint: 'wait', manual: 'flat' };

export function SuppressionsPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('suppressions:write');
  const adding = useAdding('suppressions:write', t('suppressions:add.button'));
  const [values, change] = useFilters(['q', 'origin']);
  const rows = usePages<Suppression>(['suppressions', values], ({ limit, after, signal }) =>
    values.q === undefined
      ? answer(
          api.GET('/suppressions', {
            params: { query: { limit, after, origin: values.origin as (typeof origins)[number] | undefined } },
            signal,
          }),
        )
      : one(values.q),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['suppressions'] });
  useLive(({ data }) => {
    if (((data.events ?? []) as readonly string[]).some((type) => type.startsWith('suppression.'))) changed();
  });
  const columns = useColumns(
    'suppressions',
    useMemo(
      (): Column<Suppression>[] => [
        {
          id: 'email',
          label: t('suppressions:column.email'),
          width: 'minmax(200px, 3fr)',
          fixed: true,
          cell: ({ email }) => email,
          csv: ({ email }) => email,
        },
        {
          id: 'origin',
          label: t('suppressions:column.origin'),
          width: 'minmax(130px, 1fr)',
          cell: ({ origin }) => (
            <StatusBadge tone={tones[origin] ?? 'flat'} icon={Ban} label={t(`suppressions:origin.${origin}`)} />
          ),
          csv: ({ origin }) => origin,
        },
        {
          id: 'added',
          label: t('suppressions:column.added'),
          width: '120px',
          align: 'end',
          cell: ({ created_at: at }) => <Time at={at} form="short" />,
          csv: ({ created_at: at }) => at,
        },
      ],
      [t],
    ),
  );
  return (
    <Page title={t('suppressions:title')} actions={adding.button}>
      <FilterBar
        search={t('suppressions:search')}
        values={values}
        change={change}
        filters={[
          {
            key: 'origin',
            label: t('suppressions:column.origin'),
            icon: Tag,
            choices: origins.map((origin) => ({ value: origin, label: t(`suppressions:origin.${origin}`) })),
          },
        ]}
      >
        <ListTools columns={columns} readPage={rows.readPage} fileName="suppressions" />
      </FilterBar>
      <List
        label={t('suppressions:title')}
        rows={rows}
        columns={columns.shown}
        compact={({ email, origin }) => (
          <Flex component="span" direction="column" gap={2} miw={0}>
            <span className="cut">{email}</span>
            <span className="quiet">{t(`suppressions:origin.${origin}`)}</span>
          </Flex>
        )}
        bulk={
          mayWrite
            ? [
                {
                  id: 'remove',
                  label: t('suppressions:remove.button'),
                  icon: <Trash2 size={14} aria-hidden />,
                  dangerous: true,
                  run: async (chosen) => {
                    for (let from = 0; from < chosen.length; from += 100) {
                      const ids = chosen.slice(from, from + 100).map(({ id }) => id);
                      await answer(api.POST('/suppressions/batch/remove', { body: { ids } }));
                    }
                    say(t('suppressions:remove.done', { count: chosen.length }));
                    changed();
                  },
                },
              ]
            : []
        }
        empty={
          <EmptyState icon={Ban} title={t('suppressions:empty.title')} text={t('suppressions:empty.text')}>
            {adding.button}
          </EmptyState>
        }
      />
      <AddSuppressions opened={adding.opened} close={adding.close} added={changed} />
    </Page>
  );
}

/** The list is not searched by parts: an address is on it or not. */
async function one(email: string): Promise<PageOf<Suppression>> {
  try {
    const found = await answer(api.GET('/suppressions/{idOrEmail}', { params: { path: { idOrEmail: email } } }));
    return { data: [found], has_more: false };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 422))
      return { data: [], has_more: false };
    throw error;
  }
}
