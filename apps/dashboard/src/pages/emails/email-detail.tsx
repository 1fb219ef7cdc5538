import { useNavigate } from '@tanstack/react-router';
import { usePathValues } from '../../parts/location';
import { DetailPane } from '../../detail/detail-pane';

export function EmailDetail() {
  const { emailId = '' } = usePathValues();
  const navigate = useNavigate();
  return (
    <DetailPane title={emailId} close={() => void navigate({ to: '/app/emails', search: (known: object) => known })}>
      <span />
    </DetailPane>
  );
}
