//! How functions of the program are called in what people read and write.

use headstart_ir::{FileIr, FunctionId, Inst, Key, MemberKind};

/// The name of a function as a person writes it: `Store.add`, `static Store.create`.
pub(crate) fn function_name(ir: &FileIr, function: FunctionId) -> String {
    let own = ir.function(function).name.map_or("(anonymous)", |name| ir.name(name));
    if function.index() == 0 {
        return "(module)".to_owned();
    }
    for class in &ir.classes {
        let Some(member) = class.members.iter().find(|it| it.function == function) else {
            continue;
        };
        let class = class.name.map_or("(class)", |name| ir.name(name));
        let is_private = matches!(member.key.get(), Key::Private(_));
        let own = match member.key.get() {
            Key::Computed(_) => "[…]",
            _ => own,
        };
        let own = if is_private { format!("#{own}") } else { own.to_owned() };
        let prefix = if member.is_static { "static " } else { "" };
        return match member.kind {
            MemberKind::Constructor => format!("{class}.constructor"),
            MemberKind::Method => format!("{prefix}{class}.{own}"),
            MemberKind::Getter => format!("{prefix}get {class}.{own}"),
            MemberKind::Setter => format!("{prefix}set {class}.{own}"),
        };
    }
    let accessor = ir.insts.iter().find_map(|inst| match *inst {
        Inst::Accessor { function: it, is_setter, .. } if it == function => Some(is_setter),
        _ => None,
    });
    match accessor {
        Some(true) => format!("set {own}"),
        Some(false) => format!("get {own}"),
        None => own.to_owned(),
    }
}
