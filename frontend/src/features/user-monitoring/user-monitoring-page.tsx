import { EyeOff } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../lib/paths.ts';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useUrlFilters } from '../../lib/url-filters.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { LivePage } from '../../ui/page.tsx';
import { SideBySide } from '../../ui/side-panel.tsx';
import { PeopleExport } from './components/people-export.tsx';
import { PeopleList } from './components/people-list.tsx';
import { PersonPanel } from './components/person-panel.tsx';
import { SpanChoice } from './components/span-choice.tsx';
import { usePeople } from './use-people.ts';
import classes from './user-monitoring.module.css';

/** What people used, each under a pseudonym. */
export function UserMonitoringPage() {
  const { t } = useText();
  const title = t({ id: 'people.page.title', defaultMessage: 'User monitoring' });
  const people = usePeople();
  const [{ person }, setOpen] = useUrlFilters({ person: 'text' });
  const maySeePerson = useRight('usage:read_person');
  const isSmall = useMediaQuery('(max-width: 699px)');
  const choice = <SpanChoice span={people.span} onChange={(span) => people.setFilters({ span })} />;
  const open = (id: string | null) => setOpen({ person: id });
  return (
    <LivePage
      title={title}
      actions={
        <>
          {isSmall ? null : choice}
          {isSmall ? null : <PeopleExport span={people.span} />}
        </>
      }
    >
      <PseudonymNote />
      {isSmall ? (
        <div className={classes.choice}>
          {choice}
          <PeopleExport span={people.span} />
        </div>
      ) : null}
      <SideBySide
        panel={
          person && maySeePerson ? (
            <PersonPanel key={person} personId={person} span={people.span} onClose={() => open(null)} />
          ) : undefined
        }
      >
        <PeopleList people={people} open={person} onOpen={maySeePerson ? open : null} />
      </SideBySide>
    </LivePage>
  );
}

function PseudonymNote() {
  const { t } = useText();
  const paths = usePaths();
  const maySeeRoles = useRight('role:read');
  return (
    <p className={`p-sm ${classes.note}`}>
      <EyeOff />
      <span>
        {t({
          id: 'people.note.text',
          defaultMessage:
            'Each person is shown under a pseudonym that changes every month. Fewer than 5 people are shown as a total.',
        })}{' '}
        {maySeeRoles ? (
          <Link className="p-link" to={paths.to('settings/permissions')}>
            {t({ id: 'people.note.who', defaultMessage: 'Who can see names' })}
          </Link>
        ) : null}
      </span>
    </p>
  );
}
