import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { FormModal } from '../../parts/form-modal';
import type { Pool } from './sending-queries';

interface UseFormProps {
  readonly pool: Pool;
  readonly close: () => void;
  readonly saved: () => Promise<void>;
}

type Mail = 'allMail' | 'broadcasts' | 'tagged';

/** Lets the mail of a domain or a team leave from the pool: all of it, its broadcasts, or that with a tag. */
export function UseForm({ pool, close, saved }: UseFormProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState('domain');
  const [domain, setDomain] = useState('');
  const [teamId, setTeamId] = useState<string | null>(null);
  const [chosen, setMail] = useState<Mail>('allMail');
  const [tag, setTag] = useState({ name: '', value: '' });
  const isOfDomain = kind === 'domain';
  const mail = isOfDomain && chosen === 'tagged' ? 'allMail' : chosen;
  const kinds: readonly Mail[] = isOfDomain ? ['allMail', 'broadcasts'] : ['allMail', 'broadcasts', 'tagged'];
  return (
    <FormModal
      opened
      close={close}
      title={t('machine-room:pools.useTitle', { pool: pool.name })}
      action={t('machine-room:pools.use')}
      isReady={(isOfDomain ? domain !== '' : teamId !== null) && (mail !== 'tagged' || tag.name !== '')}
      run={async () => {
        const body = {
          ...(isOfDomain ? { domain } : { team_id: teamId ?? '' }),
          ...(mail === 'broadcasts' ? { broadcasts: true } : {}),
          ...(mail === 'tagged' ? { tag: tag.value === '' ? { name: tag.name } : tag } : {}),
        };
        await answer(api.POST('/machine-room/pools/{id}/uses', { params: { path: { id: pool.id } }, body }));
        await saved();
      }}
    >
      <SegmentedControl
        aria-label={t('machine-room:pools.user')}
        value={kind}
        onChange={setKind}
        data={[
          { value: 'domain', label: t('machine-room:pools.oneDomain') },
          { value: 'team', label: t('machine-room:pools.wholeTeam') },
        ]}
      />
      {isOfDomain ? (
        <TextInput
          data-autofocus
          label={t('machine-room:pools.domain')}
          placeholder="acme.com"
          value={domain}
          onChange={(event) => setDomain(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <TeamSelect value={teamId} onChange={setTeamId} />
      )}
      <Select
        label={t('machine-room:pools.mail')}
        description={t(
          mail === 'allMail' && !isOfDomain ? 'machine-room:pools.teamText' : 'machine-room:pools.sameText',
        )}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`machine-room:pools.${value}`) }))}
        value={mail}
        onChange={(value) => setMail(value ?? 'allMail')}
      />
      {mail === 'tagged'
        ? (['name', 'value'] as const).map((part) => (
            <TextInput
              key={part}
              label={t(part === 'name' ? 'machine-room:pools.tagName' : 'machine-room:pools.tagValue')}
              description={part === 'value' ? t('machine-room:pools.tagValueText') : undefined}
              placeholder={part === 'name' ? 'category' : 'newsletter'}
              maxLength={256}
              value={tag[part]}
              onChange={(event) => setTag({ ...tag, [part]: event.currentTarget.value.trim() })}
              autoComplete="off"
              spellCheck={false}
            />
          ))
        : null}
    </FormModal>
  );
}

interface TeamSelectProps {
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** Finds a team among all of them: the server searches. */
function TeamSelect({ value, onChange }: TeamSelectProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string }>();
  // The text is the name of the team once one is chosen.
  const search = text === chosen?.label ? '' : text;
  const teams = useQuery({
    queryKey: ['operator', 'teams', search],
    queryFn: () => answer(api.GET('/operator/teams', { params: { query: { limit: 50, search } } })),
    placeholderData: (former) => former,
  });
  const found = (teams.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const data = chosen === undefined || found.some((each) => each.value === chosen.value) ? found : [chosen, ...found];
  return (
    <Select
      label={t('machine-room:pools.teamName')}
      placeholder={t('machine-room:pools.teamSearch')}
      nothingFoundMessage={teams.isFetching ? undefined : t('machine-room:pools.noTeam')}
      searchable
      searchValue={text}
      onSearchChange={setText}
      data={data}
      value={value}
      onChange={(id) => {
        setChosen(data.find((each) => each.value === id));
        onChange(id);
      }}
    />
  );
}
