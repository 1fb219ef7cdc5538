import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api, type Schema } from '../../api/client';

type Validation = Schema<'AddressValidationResponse'>;

/** What speaks against an address, and in its place the one that was probably meant, with one click. */
export function AddressHint({ email, take }: { readonly email: string; readonly take: (email: string) => void }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['address-validation', email],
    queryFn: async () => (await answer(api.POST('/contacts/validate', { body: { email } }))).data[0] ?? null,
    enabled: email.includes('@'),
    staleTime: 60_000,
    retry: false,
  });
  if (data === undefined || data === null) return null;
  const { suggestion } = data;
  if (suggestion !== null) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => take(suggestion)}>
        {t('audience:contacts.hints.meant', { address: suggestion })}
      </Button>
    );
  }
  const trouble = troubleOf(data);
  return trouble === undefined ? null : (
    <Text size="sm" role="status">
      {t(`audience:contacts.hints.${trouble}`)}
    </Text>
  );
}

function troubleOf(validation: Validation): 'noHosts' | 'suppressed' | 'disposable' | undefined {
  const { mail_hosts: hosts, suppressed, disposable } = validation;
  if (hosts === 'none' || hosts === 'null_mx') return 'noHosts';
  if (suppressed !== null) return 'suppressed';
  return disposable ? 'disposable' : undefined;
}
