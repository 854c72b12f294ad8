/** Adding services that articles are saved in, and changing their passwords. Loaded with the settings. */
import { asIpcError, call, type AddShareService, type IpcError, type SetSharePassword } from '../ipc';

/** What became of adding a service, or of changing its password. */
type ServiceAdded = 'added' | 'cancelled' | 'no_keyring' | { readonly error: IpcError };

export const addService = (service: AddShareService): Promise<ServiceAdded> =>
  accepted(call('add_share_service', service), service.password_in_library);

export function setServicePassword(change: SetSharePassword): Promise<ServiceAdded> {
  const changed = call('set_share_password', change).then(() => true);
  return accepted(changed, change.password_in_library);
}

async function accepted(done: Promise<boolean>, inLibrary: boolean): Promise<ServiceAdded> {
  try {
    return (await done) ? 'added' : 'cancelled';
  } catch (cause) {
    const error = asIpcError(cause);
    return error.code === 'no_keyring' && !inLibrary ? 'no_keyring' : { error };
  }
}
