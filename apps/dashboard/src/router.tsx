import { createRouter } from '@tanstack/react-router';
import { credentials } from './api/credentials';
import { queryClient } from './api/query-client';
import { sessionQuery } from './api/session';
import { parseSearch, stringifySearch } from './logic/search';
import { frameRoute, rootRoute } from './pages/page-route';
import { openRoutes, teamRoutes } from './pages/routes';

export const router = createRouter({
  routeTree: rootRoute.addChildren([...openRoutes, frameRoute.addChildren(teamRoutes)]),
  defaultPreload: 'intent',
  parseSearch,
  stringifySearch,
});

credentials.onRefused(() => {
  queryClient.setQueryData(sessionQuery.queryKey, null);
  const { pathname, href } = router.state.location;
  if (!pathname.startsWith('/app/sign-in')) void router.navigate({ to: '/app/sign-in', search: { next: href } });
});
