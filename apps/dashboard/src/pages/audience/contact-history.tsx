import { Button, Flex } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { usePages } from '../../list/use-pages';
import { Panel } from '../../parts/panel';
import { Time } from '../../parts/time';
import styles from './audience.module.css';

type Change = Schema<'ContactChangeResponse'>;

/** Who changed what about a contact, newest first. */
export function ContactHistory({ contactId }: { readonly contactId: string }) {
  const { t } = useTranslation();
  const rows = usePages<Change>(['contact', contactId, 'history'], ({ limit, after, signal }) =>
    answer(
      api.GET('/contacts/{idOrEmail}/history', {
        params: { path: { idOrEmail: contactId }, query: { limit, after } },
        signal,
      }),
    ),
  );
  return (
    <Panel title={t('audience:history.title')} text={t('audience:history.text')}>
      {rows.rows.length === 0 && !rows.isLoading ? <p className="quiet">{t('audience:history.empty')}</p> : null}
      <Flex component="ol" direction="column">
        {rows.rows.map((change) => (
          <li key={change.id} className={styles.change}>
            <div className={styles.changeHead}>
              <strong>{t(`audience:history.type.${change.type}`)}</strong>
              <span className="quiet">{t(`audience:history.source.${change.source.replace('-', '_')}`)}</span>
              <span className={`quiet ${styles.end}`}>
                <Time at={change.created_at} />
              </span>
            </div>
            {change.changes.length === 0 ? null : (
              <dl className={styles.fields}>
                {change.changes.map(({ field, from, to }) => (
                  <div key={field} className={styles.field}>
                    <dt>{field}</dt>
                    <dd>
                      {from === null ? null : <del>{shown(from)}</del>}
                      {to === null ? <span className="quiet">–</span> : <ins>{shown(to)}</ins>}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
          </li>
        ))}
      </Flex>
      {rows.hasMore ? (
        <Button variant="default" mt={12} loading={rows.isLoadingMore} onClick={rows.loadMore}>
          {t('audience:history.older')}
        </Button>
      ) : null}
    </Panel>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
