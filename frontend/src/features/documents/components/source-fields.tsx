import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useText } from '../../../lib/text.ts';
import { folderOf, type SourceDraft } from '../connection-draft.ts';

type InputProps = object;
type Props = {
  draft: SourceDraft;
  inputProps: (name: keyof SourceDraft) => InputProps;
  /** One that is kept stays unless another one is given. */
  hasSecret: boolean;
};

/** What each kind of source wants to know. */
export function SourceFields(props: Props) {
  if (props.draft.kind === 'web') return <WebFields {...props} />;
  return props.draft.kind === 'bucket' ? <BucketFields {...props} /> : null;
}

function WebFields({ draft, inputProps }: Props) {
  const { t } = useText();
  const isPage = draft.start === 'page';
  return (
    <>
      <NativeSelect
        name="start"
        label={t({ id: 'documents.form.start', defaultMessage: 'Begin with' })}
        data={[
          {
            value: 'page',
            label: t({ id: 'documents.form.startPage', defaultMessage: 'a page, and follow its links' }),
          },
          {
            value: 'sitemap',
            label: t({ id: 'documents.form.startSitemap', defaultMessage: 'a sitemap that lists the pages' }),
          },
        ]}
        {...inputProps('start')}
      />
      <TextInput
        name="address"
        type="url"
        dir="ltr"
        label={t({ id: 'documents.form.address', defaultMessage: 'Address' })}
        placeholder={isPage ? 'https://wiki.example.org/' : 'https://wiki.example.org/sitemap.xml'}
        maxLength={1_000}
        {...inputProps('address')}
      />
      <TextInput
        name="below"
        dir="ltr"
        label={t({ id: 'documents.form.below', defaultMessage: 'Only pages below this path' })}
        placeholder={isPage ? folderOf(draft.address) : '/'}
        description={t({
          id: 'documents.form.belowAbout',
          defaultMessage: 'Other pages and other sites are never read.',
        })}
        maxLength={500}
        {...inputProps('below')}
      />
      {isPage ? (
        <TextInput
          name="depth"
          inputMode="numeric"
          dir="ltr"
          label={t({ id: 'documents.form.depth', defaultMessage: 'Links away from the start, at most' })}
          maxLength={2}
          {...inputProps('depth')}
        />
      ) : null}
      <TextInput
        name="pages"
        inputMode="numeric"
        dir="ltr"
        label={t({ id: 'documents.form.pages', defaultMessage: 'Pages, at most' })}
        description={t({
          id: 'documents.form.pagesAbout',
          defaultMessage: 'What robots.txt keeps back is left out; two pages a second are read at most.',
        })}
        maxLength={4}
        {...inputProps('pages')}
      />
    </>
  );
}

function BucketFields({ inputProps, hasSecret }: Props) {
  const { t } = useText();
  return (
    <>
      <TextInput
        name="endpoint"
        type="url"
        dir="ltr"
        label={t({ id: 'documents.form.endpoint', defaultMessage: 'Address of the storage' })}
        placeholder="https://s3.eu-central-1.amazonaws.com"
        maxLength={1_000}
        {...inputProps('endpoint')}
      />
      <TextInput
        name="region"
        dir="ltr"
        label={t({ id: 'documents.form.region', defaultMessage: 'Region' })}
        maxLength={40}
        {...inputProps('region')}
      />
      <TextInput
        name="bucket"
        dir="ltr"
        label={t({ id: 'documents.form.bucket', defaultMessage: 'Bucket' })}
        maxLength={63}
        {...inputProps('bucket')}
      />
      <TextInput
        name="prefix"
        dir="ltr"
        label={t({ id: 'documents.form.prefix', defaultMessage: 'Only keys that begin with' })}
        placeholder="docs/"
        maxLength={500}
        {...inputProps('prefix')}
      />
      <TextInput
        name="accessKeyId"
        dir="ltr"
        autoComplete="off"
        label={t({ id: 'documents.form.accessKey', defaultMessage: 'Access key' })}
        maxLength={128}
        {...inputProps('accessKeyId')}
      />
      <PasswordInput
        name="secret"
        dir="ltr"
        autoComplete="off"
        label={t({ id: 'documents.form.secret', defaultMessage: 'Secret key' })}
        description={
          hasSecret
            ? t({ id: 'documents.form.secretKept', defaultMessage: 'One is kept. Leave this empty to keep it.' })
            : t({
                id: 'documents.form.secretAbout',
                defaultMessage: 'Kept sealed, and never shown again. It needs to read and list only.',
              })
        }
        maxLength={500}
        {...inputProps('secret')}
      />
    </>
  );
}
