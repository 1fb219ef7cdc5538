import { useNavigate, useParams } from '@tanstack/react-router';
import { DetailPane } from '../../detail/detail-pane';

export function EmailDetail() {
  const { emailId = '' } = useParams({ strict: false }) as { emailId?: string };
  const navigate = useNavigate();
  return (
    <DetailPane title={emailId} close={() => void navigate({ to: '/app/emails', search: (known: object) => known })}>
      <span />
    </DetailPane>
  );
}
