import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  Archive,
  EllipsisVertical,
  Inbox,
  MailOpen,
  OctagonAlert,
  Plus,
  Tag,
  Trash2,
  UserRoundPlus,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';
import { membersQuery } from '../../api/members-query';
import { useShortcuts } from '../../frame/shortcuts';
import { say, sayError } from '../../parts/say';
import { Dot } from './label-chips';
import { LabelForm } from './label-form';
import { labelsQuery, useMail, type Target } from './mail-queries';

interface ThreadActionsProps {
  readonly thread: Schema<'ThreadResponse'>;
  readonly close: () => void;
}

const targets = [
  ['archive', Archive],
  ['inbox', Inbox],
  ['spam', OctagonAlert],
  ['trash', Trash2],
] as const satisfies readonly (readonly [Target, unknown])[];

/** Where a thread is put. The two that are wanted most have a button. */
export function ThreadActions({ thread, close }: ThreadActionsProps) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const path = { inbox: inboxId, thread: thread.id };
  const move = useMutation({
    mutationFn: (folder: Target) =>
      answer(api.PATCH('/inboxes/{inbox}/threads/{thread}', { params: { path }, body: { folder } })),
    onSuccess: async (_answer, folder) => {
      say(t(`inboxes:moved.${folder}`));
      close();
      await refresh();
    },
    onError: sayError,
  });
  const unread = useMutation({
    mutationFn: () =>
      answer(api.PATCH('/inboxes/{inbox}/threads/{thread}', { params: { path }, body: { read: false } })),
    onSuccess: async () => {
      close();
      await refresh();
    },
    onError: sayError,
  });
  const others = targets.filter(([folder]) => folder !== thread.folder);
  const group = t('inboxes:thread');
  useShortcuts([
    { keys: 'e', label: t('inboxes:to.archive'), group, run: () => move.mutate('archive') },
    { keys: '#', label: t('inboxes:to.trash'), group, run: () => move.mutate('trash') },
    { keys: 'U', label: t('inboxes:markUnread'), group, run: () => unread.mutate() },
  ]);
  const [first] = others;
  const quick = others.filter(([folder]) => folder === first?.[0] || folder === 'trash');
  return (
    <>
      {quick.map(([folder, Icon]) => (
        <Tooltip key={folder} label={t(`inboxes:to.${folder}`)}>
          <ActionIcon
            aria-label={t(`inboxes:to.${folder}`)}
            disabled={move.isPending}
            onClick={() => move.mutate(folder)}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <AssignMenu thread={thread} />
      <LabelMenu thread={thread} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('inboxes:more')}>
            <EllipsisVertical size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<MailOpen size={15} aria-hidden />} onClick={() => unread.mutate()}>
            {t('inboxes:markUnread')}
          </Menu.Item>
          {others
            .filter((one) => !quick.includes(one))
            .map(([folder, Icon]) => (
              <Menu.Item key={folder} leftSection={<Icon size={15} aria-hidden />} onClick={() => move.mutate(folder)}>
                {t(`inboxes:to.${folder}`)}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Who looks after the thread. Who works alone is not asked. */
function AssignMenu({ thread }: { readonly thread: Schema<'ThreadResponse'> }) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const members = useQuery(membersQuery).data ?? [];
  const assign = useMutation({
    mutationFn: (email: string | null) =>
      answer(
        api.PATCH('/inboxes/{inbox}/threads/{thread}', {
          params: { path: { inbox: inboxId, thread: thread.id } },
          body: { assignee_email: email },
        }),
      ),
    onSuccess: refresh,
    onError: sayError,
  });
  if (members.length < 2 && thread.assignee_email === null) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('inboxes:assignee.choose')}>
          <UserRoundPlus size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.RadioGroup value={thread.assignee_email ?? ''} onChange={(email) => assign.mutate(email || null)}>
          {[{ email: '', name: t('inboxes:assignee.nobody') }, ...members].map(({ email, name }) => (
            <Menu.RadioItem key={email} value={email} closeMenuOnClick>
              {name || email}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

function LabelMenu({ thread }: { readonly thread: Schema<'ThreadResponse'> }) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const [isAdding, setAdding] = useState(false);
  const labels = useQuery(labelsQuery(inboxId));
  const path = { inbox: inboxId, thread: thread.id };
  const has = (id: string): boolean => thread.labels.some((label) => label.id === id);
  const put = (id: string): Promise<unknown> =>
    answer(api.POST('/inboxes/{inbox}/threads/{thread}/labels', { params: { path }, body: { labels: [id] } }));
  const toggle = useMutation({
    mutationFn: (id: string) =>
      has(id)
        ? answer(
            api.DELETE('/inboxes/{inbox}/threads/{thread}/labels/{label}', {
              params: { path: { ...path, label: id } },
            }),
          )
        : put(id),
    onSuccess: refresh,
    onError: sayError,
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('inboxes:labels')}>
            <Tag size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          {(labels.data ?? []).map(({ id, name, color }) => (
            <Menu.CheckboxItem
              key={id}
              checked={has(id)}
              rightSection={<Dot color={color} />}
              onChange={() => toggle.mutate(id)}
            >
              {name}
            </Menu.CheckboxItem>
          ))}
          <Menu.Item leftSection={<Plus size={15} aria-hidden />} onClick={() => setAdding(true)}>
            {t('inboxes:label.add')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAdding ? <LabelForm known={undefined} close={() => setAdding(false)} added={put} /> : null}
    </>
  );
}
