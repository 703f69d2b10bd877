import type { Model } from '@parley/contracts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { imageSupportOf } from '../state/images.ts';
import classes from './files.module.css';

/** Below the name of a model, or of a chatbot that names one, in a menu: of the images of this question it is only told. */
export function SeesNoImages({ model }: { model: Model | undefined }) {
  if (!model || imageSupportOf(model) !== 'no') return null;
  return (
    <LateTexts part="files">
      <Words />
    </LateTexts>
  );
}

function Words() {
  const { t } = useText();
  return (
    <span className={`p-meta ${classes.blind}`}>
      {t({ id: 'files.model.blind', defaultMessage: 'Doesn’t accept images' })}
    </span>
  );
}
