import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession, useTeam } from '../api/session';
import { BottomBar } from './bottom-bar';
import { CommandPalette } from './command-palette';
import styles from './frame.module.css';
import { KeyHelp } from './key-help';
import { navigation } from './navigation';
import { Rail } from './rail';
import { StepUpDialog } from './step-up-dialog';
import { useShortcuts } from './shortcuts';

/** What is around every page: the rail (the bottom bar on a phone), the command palette and the keys. */
export function Frame() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const team = useTeam();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const items = navigation.filter(({ operator }) => operator !== true || session?.user.is_operator === true);
  const group = t('frame:keys.everywhere');
  useShortcuts([
    { keys: 'mod+k', label: t('frame:keys.palette'), group, everywhere: true, run: () => setPalette(true) },
    { keys: '?', label: t('frame:keys.help'), group, run: () => setHelp(true) },
    ...items
      .filter(({ keys }) => keys !== undefined)
      .map(({ keys, label, to }) => ({
        keys: keys as string,
        label: t('frame:keys.goTo', { page: t(label) }),
        group: t('frame:keys.pages'),
        run: () => void navigate({ to }),
      })),
  ]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t('frame:skip')}
      </a>
      <Rail items={items} openPalette={() => setPalette(true)} openHelp={() => setHelp(true)} />
      <main id="content" className={styles.content} tabIndex={-1}>
        {session?.installation.is_sandbox === true ? (
          <p className={styles.sandbox}>
            {t('frame:sandbox.text')} <Link to="/app/inbox">{t('frame:sandbox.link')}</Link>
          </p>
        ) : null}
        {/* What a page holds belongs to one team. */}
        <Outlet key={team?.id} />
      </main>
      <BottomBar items={items} openPalette={() => setPalette(true)} />
      <CommandPalette items={items} opened={palette} close={() => setPalette(false)} />
      <StepUpDialog />
      <KeyHelp opened={help} close={() => setHelp(false)} />
    </div>
  );
}
