import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import type { AnyRoute, RouteComponent } from '@tanstack/react-router';
import { queryClient } from '../api/query-client';
import { sessionQuery } from '../api/session';
import { Frame } from '../frame/frame';
import { NotFoundPage, TroublePage, TroublePane } from './trouble-pages';

export const rootRoute = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, unknown>) => search as Record<string, string | undefined>,
  notFoundComponent: NotFoundPage,
  errorComponent: TroublePage,
});

/** The frame around all pages of a team. Without a session it leads to the sign-in and back. */
export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  component: Frame,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/app/sign-in', search: { next: location.href } });
  },
});

type Load = () => Promise<Record<string, RouteComponent>>;

/**
 * A page inside the frame. Its code is loaded when it is opened first: `page('/app/domains', () => import('./domains/domains-page'), 'DomainsPage')`.
 * `ahead` begins to load what the page will ask for, with the values in its path.
 */
export function page(
  path: string,
  load: Load,
  name: string,
  ahead?: (values: Readonly<Record<string, string>>) => void,
): AnyRoute {
  return createRoute({
    getParentRoute: () => frameRoute,
    path,
    component: lazyRouteComponent(load, name),
    errorComponent: TroublePane,
    loader: ({ params }) => ahead?.(params as Readonly<Record<string, string>>),
  });
}

/** A detail that opens beside the page: a child route, so that the list stays as it is. The page renders it with `<Outlet />`. */
export function detail(parent: AnyRoute, path: string, load: Load, name: string): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(load, name),
    errorComponent: TroublePane,
  });
}

/** A page without the frame, for people who are not signed in. */
export function openPage(path: string, load: Load, name: string): AnyRoute {
  return createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load, name) });
}

export function redirection(path: string, to: string, parent: AnyRoute = rootRoute): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });
}
