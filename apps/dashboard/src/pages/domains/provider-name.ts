import { nameOfProvider } from '../../logic/mail-hosts';

/** The mailbox provider as people call it. */
export function providerName(provider: string, t: (key: string) => string): string {
  return provider === 'others' ? t('insights:providers.others') : nameOfProvider(provider);
}
