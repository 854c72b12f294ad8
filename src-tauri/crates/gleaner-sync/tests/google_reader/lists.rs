//! How servers write lists and refused logins, besides those that were measured.

use super::*;

#[tokio::test]
async fn null_is_an_empty_list_if_the_server_says_so_twice() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::ok(r#"{"subscriptions":null}"#));
    world.server.state().replies.insert("/tag/list".to_owned(), Reply::ok(r#"{"tags":null}"#));
    assert_eq!(world.sync().await.unwrap().feeds_added, 0);
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().new, 3);
    let path = world.server.path("/stream/items/ids");
    let null = Reply::ok(r#"{"itemRefs":null}"#);
    let some = Reply::ok(r#"{"itemRefs":[{"id":"1"}]}"#);
    world.server.server.on_each(&path, [null.clone(), null.clone()]);
    let list = world.client.ids(&List::Unread, 9).await.unwrap();
    assert_eq!((list.ids.len(), list.whole), (0, true));
    world.server.server.on_each(&path, [null.clone(), some]);
    let list = world.client.ids(&List::Unread, 9).await.unwrap();
    assert_eq!((list.ids.len(), list.whole), (1, true));
    world.server.server.on_each(&path, [Reply::ok("{}")]);
    assert!(matches!(world.client.ids(&List::Unread, 9).await, Err(SyncError::InvalidResponse(_))));
}

#[tokio::test]
async fn a_login_that_is_refused_with_status_200_is_refused() {
    let server = Server::start().await;
    server.on_request("*", |request| match request.method.as_str() {
        "GET" => Reply::status(if request.path().starts_with("/reader/") { 401 } else { 404 }),
        _ => Reply::ok("Error=BadAuthentication\n"),
    });
    let refused = found(&server.url("/"), "sesame").await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");
}
