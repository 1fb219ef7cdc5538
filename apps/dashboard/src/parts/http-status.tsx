import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { StatusBadge } from './status-badge';

/** The status of an answer, in the tone of its class. */
export function HttpStatus({ status, plain = false }: { readonly status: number; readonly plain?: boolean }) {
  const [tone, icon] =
    status < 400
      ? (['good', CircleCheck] as const)
      : status < 500
        ? (['wait', TriangleAlert] as const)
        : (['bad', CircleX] as const);
  return <StatusBadge tone={tone} icon={icon} label={String(status)} plain={plain} />;
}
