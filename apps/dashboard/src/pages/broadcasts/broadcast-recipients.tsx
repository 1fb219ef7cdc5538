import { Flex, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import type { Column } from '../../list/column';
import { FilterBar, useFilters } from '../../list/filters';
import { List } from '../../list/list';
import { ListTools } from '../../list/list-tools';
import { useColumns } from '../../list/use-columns';
import { usePages } from '../../list/use-pages';
import { EmptyState } from '../../parts/states';
import { useLiveBroadcasts } from './broadcast-queries';
import styles from './broadcasts.module.css';

type Recipient = Schema<'BroadcastRecipientResponse'>;

const kinds = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'suppressed',
] as const;

/** To whom something happened, by what happened. */
export function BroadcastRecipients({ id }: { readonly id: string }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [values, change] = useFilters(['q', 'type']);
  const kind = kinds.find((name) => name === values.type) ?? 'sent';
  const rows = usePages<Recipient>(['broadcast-recipients', id, kind, values.q], ({ limit, after, signal }) =>
    answer(
      api.GET('/broadcasts/{id}/recipients', {
        params: { path: { id }, query: { type: kind, email: values.q, limit, after } },
        signal,
      }),
    ),
  );
  useLiveBroadcasts(() => void rows.refreshHead().catch(() => undefined));
  const columns = useColumns(
    `broadcast-recipients-${kind}`,
    useMemo(
      (): readonly Column<Recipient>[] => [
        {
          id: 'email',
          label: t('broadcasts:recipient'),
          width: 'minmax(200px, 3fr)',
          fixed: true,
          cell: ({ email }) => email,
          csv: ({ email }) => email,
        },
        {
          id: 'detail',
          label: t(kind === 'bounced' ? 'broadcasts:bounceType' : 'broadcasts:times'),
          width: 'minmax(120px, 2fr)',
          cell: (row) => <Detail recipient={row} language={i18n.language} />,
          csv: ({ count, bounce_type: type }) => String(type ?? count ?? ''),
        },
      ],
      [t, kind, i18n.language],
    ),
  );
  return (
    <>
      <div className={styles.kinds}>
        <SegmentedControl
          aria-label={t('broadcasts:kindsLabel')}
          value={kind}
          onChange={(type) => change({ type: type === 'sent' ? undefined : type })}
          data={kinds.map((value) => ({ value, label: t(`broadcasts:kind.${value}`) }))}
        />
      </div>
      <FilterBar filters={[]} values={values} change={change} search={t('broadcasts:searchRecipients')}>
        <ListTools columns={columns} readPage={rows.readPage} fileName={`broadcast-${kind}`} />
      </FilterBar>
      <List
        label={t('broadcasts:views.recipients')}
        rows={rows}
        columns={columns.shown}
        compact={(row) => (
          <Flex component="span" direction="column" gap={2} miw={0}>
            <span className="cut">{row.email}</span>
            <span className="quiet cut">
              <Detail recipient={row} language={i18n.language} />
            </span>
          </Flex>
        )}
        open={({ contact_id: contact }) => {
          if (contact !== null) void navigate({ to: `/app/contacts/${contact}` });
        }}
        empty={
          <EmptyState
            icon={Users}
            title={t(values.q === undefined ? 'broadcasts:nobody' : 'list:nothing.title')}
            text={t(values.q === undefined ? 'broadcasts:nobodyText' : 'list:nothing.text')}
          />
        }
      />
    </>
  );
}

function Detail({ recipient, language }: { readonly recipient: Recipient; readonly language: string }) {
  const { t } = useTranslation();
  const { count, bounce_type: bounce, clicked_links: links } = recipient;
  if (bounce !== undefined) return t(`broadcasts:bounce.${bounce}`);
  if (links !== undefined && links.length > 0) return links.map(({ url }) => url).join(', ');
  return count === undefined ? <span className="quiet">–</span> : new Intl.NumberFormat(language).format(count);
}
