import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Copy, EllipsisVertical, Pencil, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useMay } from '../../api/session';
import { DetailPane } from '../../detail/detail-pane';
import { filterOf } from '../../logic/segment-filter';
import { errorInstead } from '../../parts/error-instead';
import { Confirm } from '../../parts/confirm';
import { CopyButton } from '../../parts/copy-button';
import { FormModal } from '../../parts/form-modal';
import section from '../../parts/layout.module.css';
import { usePathValues } from '../../parts/location';
import { Facts, Figure, Figures, Panel } from '../../parts/panel';
import { say } from '../../parts/say';
import { ErrorState } from '../../parts/states';
import { Time } from '../../parts/time';
import { useOpenedState } from '../../parts/use-opened-state';
import { FilterText } from './filter-builder';
import { useFilterFields } from './filter-fields';
import { SegmentForm } from './segment-form';

export function SegmentDetail() {
  const { segmentId: id = '' } = usePathValues();
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayWrite = useMay('audience:write');
  const [asking, setAsking] = useState<'rename' | 'copy' | 'delete'>();
  const path = { params: { path: { id } } };
  const segment = useQuery({ queryKey: ['segment', id], queryFn: () => answer(api.GET('/segments/{id}', path)) });
  const filter = segment.data?.filter ?? null;
  const fields = useFilterFields(filter !== null);
  const counts = useQuery({
    queryKey: ['segment', id, 'counts'],
    queryFn: () =>
      answer(api.GET('/segments/metrics', { params: { query: { segment_id: id, dimensions: 'segment' } } })),
  });
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: ['segment', id] });
    void client.invalidateQueries({ queryKey: ['segments'] });
  };
  const close = (): void => void navigate({ to: '/app/segments' });
  const number = new Intl.NumberFormat(i18n.language);
  const row = (counts.data?.data?.[0] ?? {}) as Readonly<Record<string, number>>;
  const { data } = segment;
  return (
    <DetailPane
      title={data?.name ?? t('audience:segments.one')}
      close={close}
      actions={
        <>
          <Button
            variant="default"
            component={Link}
            to="/app/contacts"
            search={{ segment: id } as never}
            leftSection={<Users size={14} aria-hidden />}
          >
            {t('audience:segments.contacts')}
          </Button>
          {mayWrite && data !== undefined ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={t('audience:more')}>
                  <EllipsisVertical size={16} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={() => setAsking('rename')}>
                  {t('audience:segments.rename')}
                </Menu.Item>
                {filter === null ? null : (
                  <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => setAsking('copy')}>
                    {t('audience:segments.copy')}
                  </Menu.Item>
                )}
                <Menu.Item
                  color="red"
                  leftSection={<Trash2 size={15} aria-hidden />}
                  onClick={() => setAsking('delete')}
                >
                  {t('audience:delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </>
      }
    >
      {errorInstead(segment) !== null ? (
        <ErrorState error={segment.error} retry={() => void segment.refetch()} />
      ) : data === undefined ? null : (
        <div className={section.scroll}>
          <Figures>
            {(['all_contacts', 'subscribers', 'unsubscribers'] as const).map((metric) => (
              <Figure
                key={metric}
                label={t(`audience:segments.count.${metric}`)}
                value={row[metric] === undefined ? '–' : number.format(row[metric])}
              />
            ))}
          </Figures>
          <Panel
            title={t('audience:segments.who')}
            text={filter === null ? t('audience:segments.byHandText') : t('audience:segments.byFilterText')}
          >
            {filter === null ? null : <FilterText fields={fields} group={filterOf(filter)} />}
          </Panel>
          <Panel>
            <Facts
              items={[
                [t('audience:added'), <Time key="added" at={data.created_at} form="exact" />],
                [
                  t('audience:id'),
                  <span key="id" className={section.row}>
                    <code>{data.id}</code>
                    <CopyButton value={data.id} label={t('audience:copyId')} />
                  </span>,
                ],
              ]}
            />
          </Panel>
          <Rename
            key={data.id}
            opened={asking === 'rename'}
            close={() => setAsking(undefined)}
            known={data.name}
            save={async (name) => {
              await answer(api.PATCH('/segments/{id}', { ...path, body: { name } }));
              refresh();
            }}
          />
          {filter === null ? null : (
            <SegmentForm
              key={data.id}
              opened={asking === 'copy'}
              close={() => setAsking(undefined)}
              like={filterOf(filter)}
              created={(created) => {
                refresh();
                void navigate({ to: `/app/segments/${created}` });
              }}
            />
          )}
          <Confirm
            opened={asking === 'delete'}
            close={() => setAsking(undefined)}
            title={t('audience:segments.deleteTitle', { name: data.name })}
            action={t('audience:delete')}
            dangerous
            run={async () => {
              await answer(api.DELETE('/segments/{id}', path));
              say(t('audience:segments.deleted'));
              refresh();
              close();
            }}
          >
            <p>{t('audience:segments.deleteText')}</p>
          </Confirm>
        </div>
      )}
    </DetailPane>
  );
}

interface RenameProps {
  readonly opened: boolean;
  readonly close: () => void;
  readonly known: string;
  readonly save: (name: string) => Promise<unknown>;
}

function Rename({ opened, close, known, save }: RenameProps) {
  const { t } = useTranslation();
  const [name, setName] = useOpenedState(opened, () => known);
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('audience:segments.rename')}
      action={t('common:save')}
      isReady={name.trim() !== ''}
      run={() => save(name.trim())}
    >
      <TextInput
        data-autofocus
        label={t('audience:segments.name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormModal>
  );
}
