import { NumberInput, Switch, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../api/client';

/** What narrows a key beyond its permission, as the API takes it: an empty list and 0 are no rule. */
export type Rules = Required<
  Pick<Schema<'UpdateApiKeyRequest'>, 'allowed_ips' | 'allowed_recipient_domains' | 'daily_limit' | 'only_drafts'>
>;

export const noRules: Rules = { allowed_ips: [], allowed_recipient_domains: [], daily_limit: 0, only_drafts: false };

type Key = Schema<'ApiKeySummaryResponse'>;

export function rulesOf(key: Key): Rules {
  const { allowed_ips: ips, allowed_recipient_domains: domains, daily_limit: limit, only_drafts } = key;
  return { allowed_ips: ips ?? [], allowed_recipient_domains: domains ?? [], daily_limit: limit ?? 0, only_drafts };
}

/** Those that a key with this permission may have. */
export function rulesFor(permission: Key['permission'], rules: Rules): Partial<Rules> {
  const { allowed_ips, only_drafts, ...ofSending } = rules;
  return permission === 'sending_access' ? { allowed_ips, ...ofSending } : { allowed_ips, only_drafts };
}

interface KeyRulesProps {
  readonly permission: Key['permission'];
  readonly rules: Rules;
  readonly change: (rules: Rules) => void;
}

export function KeyRules({ permission, rules, change }: KeyRulesProps) {
  const { t } = useTranslation();
  return (
    <>
      <TagsInput
        label={t('api-keys:rules.ips')}
        description={t('api-keys:rules.ipsHint')}
        value={rules.allowed_ips}
        onChange={(ips) => change({ ...rules, allowed_ips: ips })}
        splitChars={[',', ' ']}
        maxTags={50}
        acceptValueOnBlur
      />
      {permission === 'sending_access' ? (
        <>
          <TagsInput
            label={t('api-keys:rules.domains')}
            description={t('api-keys:rules.domainsHint')}
            value={rules.allowed_recipient_domains}
            onChange={(domains) => change({ ...rules, allowed_recipient_domains: domains })}
            splitChars={[',', ' ']}
            maxTags={50}
            acceptValueOnBlur
          />
          <NumberInput
            label={t('api-keys:rules.limit')}
            description={t('api-keys:rules.limitHint')}
            value={rules.daily_limit === 0 ? '' : rules.daily_limit}
            onChange={(value) => change({ ...rules, daily_limit: Number(value) || 0 })}
            min={0}
            max={1_000_000_000}
            allowDecimal={false}
            allowNegative={false}
          />
        </>
      ) : (
        <Switch
          label={t('api-keys:rules.drafts')}
          description={t('api-keys:rules.draftsHint')}
          checked={rules.only_drafts}
          onChange={({ currentTarget }) => change({ ...rules, only_drafts: currentTarget.checked })}
        />
      )}
    </>
  );
}

/** The rules of a key in a line; nothing where it has none. */
export function RulesLine({ apiKey }: { readonly apiKey: Key }) {
  const { t, i18n } = useTranslation();
  const { allowed_ips: ips, allowed_recipient_domains: domains, daily_limit: limit, only_drafts } = apiKey;
  const parts = [
    ...(only_drafts ? [t('api-keys:rules.drafting')] : []),
    ...(ips === null ? [] : [t('api-keys:rules.from', { networks: ips.join(', ') })]),
    ...(domains === null ? [] : [t('api-keys:rules.to', { domains: domains.join(', ') })]),
    ...(limit === null
      ? []
      : [t('api-keys:rules.aDay', { number: new Intl.NumberFormat(i18n.language).format(limit) })]),
  ];
  return parts.length === 0 ? null : <span className="quiet cut">{parts.join(' · ')}</span>;
}
