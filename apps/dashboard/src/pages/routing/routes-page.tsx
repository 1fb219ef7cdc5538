import { ActionIcon, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, EllipsisVertical, Pencil, Power, Route as RouteIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { ShortList } from '../../list/short-list';
import { usePages } from '../../list/use-pages';
import { Confirm } from '../../parts/confirm';
import section from '../../parts/layout.module.css';
import { say, sayError } from '../../parts/say';
import { Row } from '../../parts/section';
import { ReceivedFrame, ReceivedTabs } from '../received/received-tabs';
import { ExplainPanel } from './explain-panel';
import { useAdding } from '../../parts/use-adding';
import { RouteForm, type Route } from './route-form';

interface Asking {
  readonly kind: 'edit' | 'delete';
  readonly route: Route;
}

/** What happens to received mail, in the order in which it is asked. */
export function RoutesPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayWrite = useMay('routes:write');
  const adding = useAdding('routes:write', t('received:routes.add'));
  const [asking, setAsking] = useState<Asking>();
  const rows = usePages<Route>(['routes'], ({ limit, after, signal }) =>
    answer(api.GET('/routes', { params: { query: { limit, after } }, signal })),
  );
  const changed = (): void => void client.invalidateQueries({ queryKey: ['routes'] });
  const update = useMutation({
    mutationFn: ({ id, ...body }: { id: string; position?: number; enabled?: boolean }) =>
      answer(api.PATCH('/routes/{id}', { params: { path: { id } }, body })),
    onSuccess: changed,
    onError: sayError,
  });
  return (
    <ReceivedFrame actions={adding.button}>
      <ReceivedTabs />
      <ShortList
        rows={rows}
        icon={RouteIcon}
        empty={t('received:routes.empty')}
        emptyText={t('received:routes.emptyText')}
        add={adding.button}
        head={<ExplainPanel />}
        row={(route) => (
          <Row
            key={route.id}
            icon={<span className="quiet tabular">{route.position}</span>}
            title={
              <span className={section.row}>
                {route.name === '' ? null : <span>{route.name}</span>}
                <code>{route.recipient}</code>
                {route.enabled ? null : <span className="quiet">{t('received:routes.disabled')}</span>}
              </span>
            }
            text={<RouteText route={route} />}
          >
            {mayWrite ? (
              <>
                <ActionIcon
                  aria-label={t('received:routes.up', { name: route.recipient })}
                  disabled={route.position === 1 || update.isPending}
                  onClick={() => update.mutate({ id: route.id, position: route.position - 1 })}
                >
                  <ArrowUp size={15} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('received:routes.down', { name: route.recipient })}
                  disabled={(route.position === rows.rows.length && !rows.hasMore) || update.isPending}
                  onClick={() => update.mutate({ id: route.id, position: route.position + 1 })}
                >
                  <ArrowDown size={15} aria-hidden />
                </ActionIcon>
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon aria-label={t('received:routes.more', { name: route.recipient })}>
                      <EllipsisVertical size={16} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item
                      leftSection={<Pencil size={15} aria-hidden />}
                      onClick={() => setAsking({ kind: 'edit', route })}
                    >
                      {t('received:routes.edit')}
                    </Menu.Item>
                    <Menu.Item
                      leftSection={<Power size={15} aria-hidden />}
                      onClick={() => update.mutate({ id: route.id, enabled: !route.enabled })}
                    >
                      {t(route.enabled ? 'received:routes.disable' : 'received:routes.enable')}
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<Trash2 size={15} aria-hidden />}
                      onClick={() => setAsking({ kind: 'delete', route })}
                    >
                      {t('received:routes.delete')}
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </>
            ) : null}
          </Row>
        )}
      />
      {adding.opened ? <RouteForm known={undefined} close={adding.close} saved={changed} /> : null}
      {asking?.kind === 'edit' ? (
        <RouteForm known={asking.route} close={() => setAsking(undefined)} saved={changed} />
      ) : null}
      <Confirm
        opened={asking?.kind === 'delete'}
        close={() => setAsking(undefined)}
        title={t('received:routes.deleteTitle')}
        action={t('received:routes.delete')}
        dangerous
        run={async () => {
          if (asking?.kind !== 'delete') return;
          await answer(api.DELETE('/routes/{id}', { params: { path: { id: asking.route.id } } }));
          say(t('received:routes.deleted'));
          changed();
        }}
      >
        <p>{t('received:routes.deleteText')}</p>
      </Confirm>
    </ReceivedFrame>
  );
}

function RouteText({ route }: { readonly route: Route }) {
  const { t } = useTranslation();
  const { action, conditions } = route;
  const target =
    action.to?.join(', ') ?? (action.host === undefined ? action.text : `${action.host}:${action.port ?? 25}`);
  const parts = [
    `${t(`received:action.${action.type}`)}${target === undefined || target === '' ? '' : `: ${target}`}`,
    ...conditions.map(({ header, test, value, not }) => {
      const words = t(`received:routes.test.${not ? 'not_' : ''}${test}`);
      return `${header} ${words}${test === 'exists' ? '' : ` “${value}”`}`;
    }),
    ...(route.continue ? [t('received:routes.continues')] : []),
  ];
  return <>{parts.join(' · ')}</>;
}
