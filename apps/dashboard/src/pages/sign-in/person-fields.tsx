import { PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface PersonFieldsProps {
  /** Given if it cannot be chosen. */
  readonly email?: string;
}

/** Name, address and password of somebody new. */
export function PersonFields({ email }: PersonFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        name="name"
        label={t('signIn:name')}
        autoComplete="name"
        required
        autoFocus
        withAsterisk={false}
        maxLength={64}
      />
      <TextInput
        name="email"
        type="email"
        label={t('signIn:email')}
        autoComplete="username"
        required
        withAsterisk={false}
        defaultValue={email}
        readOnly={email !== undefined}
      />
      <NewPasswordField />
    </>
  );
}

export function NewPasswordField({ name = 'password' }: { readonly name?: string }) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      name={name}
      label={t('signIn:newPassword')}
      description={t('signIn:passwordRule')}
      autoComplete="new-password"
      minLength={10}
      maxLength={128}
      required
      withAsterisk={false}
    />
  );
}
