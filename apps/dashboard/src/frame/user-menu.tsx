import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Check, CircleHelp, Languages, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session';
import { chooseLanguage, languages, type Language } from '../words/words';
import { useSignOut } from './sign-out';
import styles from './user-menu.module.css';

const schemes = [
  { value: 'auto', icon: Monitor },
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
] as const;

/** Also the content of the phone's sheet, if the menu has no room. */
export function useUserActions() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    schemes: schemes.map(({ value, icon }) => ({
      value,
      icon,
      label: t(`frame:scheme.${value}`),
      chosen: colorScheme === value,
      choose: () => setColorScheme(value),
    })),
    languages: Object.entries(languages).map(([value, label]) => ({
      value,
      label,
      chosen: i18n.language === value,
      choose: () => void chooseLanguage(value as Language),
    })),
  };
}

export function UserMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const signOut = useSignOut();
  const actions = useUserActions();
  if (session === null) return null;
  const { name, email } = session.user;
  return (
    <Menu width={230} position="top-start">
      <Menu.Target>
        <UnstyledButton className={styles.button} aria-label={t('frame:user.menu')}>
          <span className={styles.face} aria-hidden>
            {[...(name || email)][0]?.toUpperCase()}
          </span>
          <span className="cut">{name || email}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Sub position="right-end">
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<Moon size={15} aria-hidden />}>{t('frame:scheme.title')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {actions.schemes.map(({ value, label, icon: Icon, chosen, choose }) => (
              <Menu.Item
                key={value}
                leftSection={<Icon size={15} aria-hidden />}
                rightSection={chosen ? <Check size={14} aria-hidden /> : null}
                onClick={choose}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Sub position="right-end">
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<Languages size={15} aria-hidden />}>{t('frame:language')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {actions.languages.map(({ value, label, chosen, choose }) => (
              <Menu.Item
                key={value}
                lang={value}
                rightSection={chosen ? <Check size={14} aria-hidden /> : null}
                onClick={choose}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <Menu.Item leftSection={<CircleHelp size={15} aria-hidden />} onClick={openHelp}>
          {t('frame:keys.title')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={signOut}>
          {t('frame:user.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
