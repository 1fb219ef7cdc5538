import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { errorText } from './error-text';

/** A short line at the lower right: what was done. */
export function say(message: string): void {
  notifications.show({ message, closeButtonProps: { 'aria-label': i18next.t('common:close') } });
}

/** What went wrong with something that was asked for, and what to do. */
export function sayError(error: unknown): void {
  const { title, text } = errorText(error);
  notifications.show({
    title,
    message: text,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': i18next.t('common:close') },
  });
}
