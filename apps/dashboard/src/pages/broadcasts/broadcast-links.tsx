import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { usePages } from '../../list/use-pages';
import { Panel } from '../../parts/panel';
import { Table } from '../../parts/table';
import { pathOf } from './broadcast-queries';

type ClickedLink = Schema<'ClickedLinkResponse'>;

/** The links that people clicked, the most clicked first. */
export function BroadcastLinks({ id, clicked }: { readonly id: string; readonly clicked: number }) {
  const { t, i18n } = useTranslation();
  // Read anew where more have clicked.
  const links = usePages<ClickedLink>(['broadcast-links', id, clicked], ({ limit, after, signal }) =>
    answer(
      api.GET('/broadcasts/{id}/clicked-links', { params: { ...pathOf(id).params, query: { limit, after } }, signal }),
    ),
  );
  const number = new Intl.NumberFormat(i18n.language);
  if (links.rows.length === 0) return null;
  return (
    <Panel title={t('broadcasts:links')} flush>
      <Table<ClickedLink>
        label={t('broadcasts:links')}
        rows={links.rows}
        keyOf={({ id: link }) => link}
        columns={[
          { id: 'url', label: t('broadcasts:link'), cell: ({ url }) => <span className="cut">{url}</span> },
          {
            id: 'unique',
            label: t('broadcasts:clickedBy'),
            align: 'end',
            cell: ({ unique_clicks: count }) => number.format(count),
          },
          { id: 'clicks', label: t('broadcasts:clicks'), align: 'end', cell: ({ clicks }) => number.format(clicks) },
        ]}
      />
      {links.hasMore ? (
        <Button variant="default" m={12} loading={links.isLoadingMore} onClick={links.loadMore}>
          {t('list:more')}
        </Button>
      ) : null}
    </Panel>
  );
}
