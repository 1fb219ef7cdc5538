import { Button, Select, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Panel } from '../../parts/panel';
import { sayError } from '../../parts/say';
import { Row, Rows } from '../../parts/section';
import { segmentsQuery } from './audience-queries';
import styles from './audience.module.css';

interface ContactGroupsProps {
  readonly contactId: string;
  readonly mayWrite: boolean;
  readonly changed: () => void;
}

/** The segments that the contact was added to, and the topics it gets mail of. */
export function ContactGroups({ contactId, mayWrite, changed }: ContactGroupsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const path = { idOrEmail: contactId };
  const segments = useQuery({
    queryKey: ['contact', contactId, 'segments'],
    queryFn: () => answer(api.GET('/contacts/{idOrEmail}/segments', { params: { path, query: { limit: 100 } } })),
  });
  const topics = useQuery({
    queryKey: ['contact', contactId, 'topics'],
    queryFn: () => answer(api.GET('/contacts/{idOrEmail}/topics', { params: { path, query: { limit: 100 } } })),
  });
  const all = useQuery({ ...segmentsQuery, enabled: mayWrite });
  const done = {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['contact', contactId] });
      changed();
    },
    onError: sayError,
  };
  const add = useMutation({
    mutationFn: (segmentId: string) =>
      answer(api.POST('/contacts/{idOrEmail}/segments/{segmentId}', { params: { path: { ...path, segmentId } } })),
    ...done,
  });
  const remove = useMutation({
    mutationFn: (segmentId: string) =>
      answer(api.DELETE('/contacts/{idOrEmail}/segments/{segmentId}', { params: { path: { ...path, segmentId } } })),
    ...done,
  });
  const choose = useMutation({
    mutationFn: (topic: { id: string; subscription: 'opt_in' | 'opt_out' }) =>
      answer(api.PATCH('/contacts/{idOrEmail}/topics', { params: { path }, body: { topics: [topic] } as never })),
    ...done,
  });
  const members = segments.data?.data ?? [];
  const left = (all.data ?? []).filter(({ id }) => !members.some((member) => member.id === id));
  const chosen = topics.data?.data ?? [];
  return (
    <>
      <Panel
        title={t('audience:segments.title')}
        aside={
          mayWrite && left.length > 0 ? (
            <Select
              aria-label={t('audience:segments.addTo')}
              placeholder={t('audience:segments.addTo')}
              data={left.map(({ id, name }) => ({ value: id, label: name }))}
              value={null}
              w={200}
              searchable
              onChange={(id) => (id === null ? undefined : add.mutate(id))}
            />
          ) : undefined
        }
        flush={members.length > 0}
      >
        {members.length === 0 ? (
          <p className="quiet">{t('audience:segments.none')}</p>
        ) : (
          <div className={styles.plainRows}>
            <Rows>
              {members.map(({ id, name }) => (
                <Row key={id} title={<Link to={`/app/segments/${id}`}>{name}</Link>}>
                  {mayWrite ? (
                    <Button variant="subtle" color="gray" onClick={() => remove.mutate(id)}>
                      {t('audience:segments.removeFrom')}
                    </Button>
                  ) : null}
                </Row>
              ))}
            </Rows>
          </div>
        )}
      </Panel>
      {chosen.length === 0 ? null : (
        <Panel title={t('audience:topics.title')} text={t('audience:topics.contactText')} flush>
          <div className={styles.plainRows}>
            <Rows>
              {chosen.map(({ id, name, description, subscription }) => (
                <Row key={id} title={name} text={description ?? undefined}>
                  <Switch
                    aria-label={name}
                    checked={subscription === 'opt_in'}
                    disabled={!mayWrite || choose.isPending}
                    onChange={(event) =>
                      choose.mutate({ id, subscription: event.currentTarget.checked ? 'opt_in' : 'opt_out' })
                    }
                  />
                </Row>
              ))}
            </Rows>
          </div>
        </Panel>
      )}
    </>
  );
}
