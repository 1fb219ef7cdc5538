import { Box, Button, Flex, Stack } from '@mantine/core';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../parts/states';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Flex component="main" direction="column" gap={12} align="center" justify="center" h="100%" p={24} ta="center">
      <Box component="h1" fz={16} fw={600}>
        {t('common:notFound.title')}
      </Box>
      <p className="quiet">{t('common:notFound.text')}</p>
      <Button component={Link} to="/app/emails" variant="default">
        {t('common:notFound.back')}
      </Button>
    </Flex>
  );
}

export function TroublePage({ error, reset }: ErrorComponentProps) {
  return (
    <Flex component="main" direction="column" gap={12} align="center" justify="center" h="100%" p={24} ta="center">
      <ErrorState error={error} retry={reset} />
    </Flex>
  );
}

/** For inside the frame, which already has the `<main>`. */
export function TroublePane({ error, reset }: ErrorComponentProps) {
  return (
    <Stack gap={12} align="center" justify="center" h="100%" p={24} ta="center">
      <ErrorState error={error} retry={reset} />
    </Stack>
  );
}
