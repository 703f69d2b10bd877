import { useNavigate } from 'react-router-dom';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NameForm } from './name-form.tsx';

/** Creates a project and opens its page. */
export const NewProjectDialog = (props: { onClose: () => void }) => (
  <LateTexts part="project">
    <NewProject {...props} />
  </LateTexts>
);

function NewProject({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const paths = usePaths();
  const navigate = useNavigate();
  return (
    <Dialog title={t({ id: 'project.create.title', defaultMessage: 'New project' })} onClose={onClose}>
      <NameForm
        onCancel={onClose}
        onCreated={({ id }) => {
          onClose();
          void navigate(paths.project(id));
        }}
      />
    </Dialog>
  );
}
