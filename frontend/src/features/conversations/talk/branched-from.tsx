import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { BranchedFrom as Source } from '../../../domain/conversation/conversation-path.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import classes from './message-list.module.css';

type Props = { from: Source };

/** Links to the source at the beginning of a copied chat. */
export const BranchedFrom = (props: Props) => (
  <LateTexts part="talk">
    <From {...props} />
  </LateTexts>
);

function From({ from: { conversationId, messageId, title } }: Props) {
  const { t, rich } = useText();
  const paths = usePaths();
  const link = (words: ReactNode) => (
    <Link key="link" className="p-link" to={paths.message(conversationId, messageId)}>
      <bdi>{words}</bdi>
    </Link>
  );
  return (
    <p className={`p-meta ${classes.branchedFrom}`}>
      <GitFork size={12} />
      <span>
        {title === null
          ? t({ id: 'talk.branch.fromGone', defaultMessage: 'Branched from a deleted chat' })
          : title
            ? rich(
                { id: 'talk.branch.fromTitle', defaultMessage: 'Branched from <link>{title}</link>' },
                { title, link },
              )
            : rich({ id: 'talk.branch.from', defaultMessage: 'Branched from <link>another chat</link>' }, { link })}
      </span>
    </p>
  );
}
